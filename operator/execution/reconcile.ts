import type { ExecutionStatus } from '../../core/crd/types.ts'
import { executionError } from '../../core/execution/error.ts'
import { type Ending, decideEnd } from '../../core/execution/outcome.ts'
import type { WantedEnvironment } from '../../core/execution/prepared.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { isStartOf } from '../../core/agent/schedule.ts'
import { findStoryBranchProblem } from '../../core/story/branch.ts'
import { stateOf } from '../../core/task/decide.ts'
import { clip } from '../../core/text.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { type Action, type Step, idle, recordEvent } from '../action.ts'
import { unusableReason } from '../agent/unavailable.ts'
import {
  environmentOf,
  findUnprepared,
  findWaitEnd,
  formatEnvironmentWait,
  tellEnvironmentProblem,
} from './environment.ts'
import { checksOfEarlierRounds, observeRound, recordChecks, roundSince } from './checks.ts'
import { type ObservedExecution, hasJobEnded } from './observe.ts'
import { mergePhases, podOf } from './phases.ts'
import { isJobFinished } from '../../kube/workload.ts'
import { jobFailure } from './pods.ts'
import { endMessages, withMessages } from './messages.ts'
import { keepLogs, servicesProblem } from './services.ts'
import { supervisePod } from './supervise-pod.ts'
import { end, refuse } from './end.ts'
import { makeJob, needsAgent, needsServices } from './make-job.ts'

/**
 * Decides the next step of one execution: checks, Job, end. Its task moves afterwards, from its record alone.
 *
 * Source: specification §7.3, §7.15.
 */
export function reconcileExecution(seen: ObservedExecution): Step {
  const { execution, task } = seen
  if (isTerminal(execution)) return endLeftovers(seen)
  const isCurrent = stateOf(task) === 'RUNNING' && task.status?.execution === execution.metadata.name
  if (!isCurrent) return isStartOf(task, execution.metadata.name) ? idle() : end(seen, abandoned)
  return advanceExecution(seen)
}

/** The next step of an execution that is to run: its checks and first Job, else what its Job comes to. */
export function advanceExecution(seen: ObservedExecution): Step {
  return (seen.execution.status?.jobs ?? 0) === 0 ? begin(seen) : goOn(seen)
}

/** What an ended execution still has running ends too; its slot is held until then. Its ended Jobs stay for a while (kept-jobs.ts). */
function endLeftovers({ openJobs }: ObservedExecution): Step {
  const left = openJobs.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return left.length > 0 ? { actions: left.map((job) => ({ kind: 'deleteJob', job })) } : idle()
}

const cancelled = executionError({ category: 'cancelled', message: 'the execution was cancelled' })
const abandoned: ExecutionStatus = {
  state: 'CANCELLED',
  error: executionError({
    category: 'cancelled',
    message: 'the task did not start it: it was cancelled or deleted meanwhile',
  }),
}

/** The checks come after RUNNING and before the Job; what fails here never ran (specification §4.11). */
function begin(seen: ObservedExecution): Step {
  const { task, agent, execution, before, context } = seen
  if (task.status?.cancelRequestedAt !== undefined) return end(seen, { state: 'CANCELLED', error: cancelled })
  const unavailable = needsAgent(execution)
    ? agent === undefined
      ? `agent ${execution.spec.agent ?? ''} does not exist`
      : unusableReason(agent, context.installation)
    : undefined
  if (unavailable !== undefined) return refuse(seen, 'unavailable', unavailable)
  const problem = servicesProblem(seen.project, context.settings.embedded)
  if (problem !== undefined && needsServices(seen)) return refuse(seen, 'unavailable', problem)
  if (before === undefined) return idle()
  if (before.git.kind === 'refused') return refuse(seen, before.git.error.category, before.git.error.message)
  const branchProblem = seen.story && findStoryBranchProblem(seen.story, context.settings.branchPrefix, seen.project)
  if (branchProblem !== undefined) return refuse(seen, 'git', branchProblem)
  if (before.missingCredentials !== undefined) return refuse(seen, 'credentials', before.missingCredentials)
  return makeJob(seen, 1, {})
}

/** Of a program that did not find the copy, and began a session of its own. */
function correctContinued({
  execution,
  outcome,
  continued: from,
}: ObservedExecution): Pick<ExecutionStatus, 'continued'> {
  const { continued } = execution.status ?? {}
  const [copied, own] = [from?.sessionId, outcome?.sessionId]
  if (continued === undefined || continued.told !== undefined || copied === undefined) return {}
  return own === undefined || own === copied
    ? {}
    : { continued: { ...continued, told: clip('its program did not find the copy of the session', 1024) } }
}

function goOn(seen: ObservedExecution): Step {
  const { job, task, execution } = seen
  if (execution.status?.environment?.waitingSince !== undefined) return awaitEnvironment(seen)
  if (hasJobEnded(seen)) return finishJob(seen)
  if (task.status?.cancelRequestedAt !== undefined && job !== undefined && !isJobFinished(job)) {
    return stop(seen) ?? withMessages(seen, supervisePod(seen))
  }
  return withMessages(seen, supervisePod(seen))
}

/** Deleting the Job ends its pod: SIGTERM, and SIGKILL when the grace is over. */
function stop(seen: ObservedExecution): Step | undefined {
  const { job, execution } = seen
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined
  const message = `Job ${job.metadata.name} is deleted because the task is to be cancelled`
  return {
    actions: [...keepLogs(seen), { kind: 'deleteJob', job }, recordEvent(execution, 'Normal', 'Cancelling', message)],
  }
}

/** Further Jobs for which another environment turned out to be wanted: its branch moves faster than that is prepared. */
const MAX_UNPREPARED = 4

/** Its Job has ended, and no pod runs; it keeps its slot. */
function waitForEnvironment(seen: ObservedExecution, { digest, commit, isShared }: WantedEnvironment): Step {
  const { execution, podFacts, now } = seen
  if ((execution.status?.jobs ?? 0) >= MAX_UNPREPARED) {
    const message = `the environment of ${MAX_UNPREPARED} Jobs in a row was not the one that the commit wanted: run the task again once its branch has come to rest`
    return refuse(seen, 'unavailable', message)
  }
  const environment = { digest, commit, isShared, waitingSince: toTimestamp(now) }
  const waitingFor = formatEnvironmentWait(seen, undefined)
  const phases = mergePhases(execution.status?.phases, podFacts)
  const status = { ...execution.status, ...podOf(podFacts), phases, environment, waitingFor }
  return { actions: [{ kind: 'writeExecution', execution, status }] }
}

/** Prepared by the project's controller; looked at again now and then, since no end of a wait may be missed. */
function awaitEnvironment(seen: ObservedExecution): Step {
  const { execution, task, now } = seen
  if (task.status?.cancelRequestedAt !== undefined) return end(seen, { state: 'CANCELLED', error: cancelled })
  const found = findWaitEnd(seen)
  const { jobs = 1, environment, phases: _, waitingFor: before } = execution.status ?? {}
  if (found?.kind !== 'waits') {
    const [startedAt, finishedAt] = [environment?.waitingSince, toTimestamp(now)]
    const waited = { name: 'environment', finishedAt, ...withoutAbsent({ startedAt }) }
    return makeJob(seen, jobs + 1, { phases: [waited] })
  }
  const requeueAt = addMs(now, LOOK_AGAIN_MS)
  const waitingFor = formatEnvironmentWait(seen, found)
  if (waitingFor === before) return idle(requeueAt)
  return { actions: [{ kind: 'writeExecution', execution, status: { ...execution.status, waitingFor } }], requeueAt }
}

const LOOK_AGAIN_MS = 60_000

function finishJob(seen: ObservedExecution): Step {
  const { execution, task, result, outcome, podFacts, job } = seen
  const unprepared = result === undefined && task.status?.cancelRequestedAt === undefined && findUnprepared(seen)
  if (unprepared) return waitForEnvironment(seen, unprepared)
  const jobs = execution.status?.jobs ?? 1
  const phases = mergePhases(execution.status?.phases, podFacts)
  const ending = decideEnd({
    result,
    outcome,
    pod: podFacts,
    lastReason: execution.status?.pod?.reason,
    jobFailure: jobFailure(job),
    jobs,
    // A Job that has only found out which environment is wanted is none that was lost.
    isRepeatedOnceMore: execution.status?.environment?.digest !== undefined,
    agentStarted: phases.some(({ name, startedAt }) => name === 'agent' && startedAt !== undefined),
    authRetried: execution.status?.authRetried === true,
    isCancelled: task.status?.cancelRequestedAt !== undefined,
    volumeProblem: seen.before?.volumeProblem,
    round: observeRound(seen),
  })
  const ofRound = outcome !== undefined && outcome.jobNumber >= roundSince(execution.status ?? {}) ? outcome : undefined
  const agentOutcome = ofRound?.outcome ?? execution.status?.agentOutcome
  const record = {
    phases,
    ...podOf(podFacts),
    ...environmentOf(seen),
    ...endMessages(seen),
    ...correctContinued(seen),
    ...recordChecks(seen),
    ...(agentOutcome === undefined ? {} : { agentOutcome }),
  }
  if (ending.kind === 'ended') {
    const { actions } = end(seen, { ...record, ...ending.status })
    return { actions: [...actions, ...tellEnvironmentProblem(seen, record)] }
  }
  return repeat(seen, ending, record)
}

/** The next Job of an execution, whose pod starts its phases anew. */
function repeat(seen: ObservedExecution, ending: Exclude<Ending, { kind: 'ended' }>, record: ExecutionStatus): Step {
  const { execution, now } = seen
  const { jobs = 1, rounds = 1, restaged = 0 } = execution.status ?? {}
  const next = (change: ExecutionStatus): readonly Action[] =>
    makeJob(seen, jobs + 1, { ...record, ...change, phases: [] }).actions
  switch (ending.kind) {
    case 'nextJob': {
      const same = checksOfEarlierRounds(seen, { rounds, ...record })
      const actions = next({ ...same, ...(ending.withFreshCredentials ? { authRetried: true } : {}) })
      return { actions: [...actions, recordEvent(execution, 'Warning', 'JobRepeated', ending.reason)] }
    }
    case 'restage': {
      const actions = next({ ...checksOfEarlierRounds(seen, { rounds, ...record }), restaged: restaged + 1 })
      return { actions: [...actions, recordEvent(execution, 'Normal', 'BranchMoved', ending.reason)] }
    }
    case 'round': {
      const began = { rounds: rounds + 1, roundSince: jobs + 1, roundStartedAt: toTimestamp(now) }
      const actions = next({ ...ending.spent, ...began })
      return { actions: [...actions, recordEvent(execution, 'Warning', 'ChecksFailed', ending.reason)] }
    }
    default:
      return ending satisfies never
  }
}
