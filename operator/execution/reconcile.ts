import { findImageProblem } from '../../core/agent/allowed-images.ts'
import type { Execution, ExecutionStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath, sandboxOf, sandboxPath } from '../../core/execution/layout.ts'
import { executionError } from '../../core/execution/error.ts'
import { type Ending, decideEnd } from '../../core/execution/outcome.ts'
import type { WantedEnvironment } from '../../core/execution/prepared.ts'
import type { ExecutionError } from '../../core/execution/result.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { isTerminal, isWork } from '../../core/execution/state.ts'
import { executionName, jobName, LABELS } from '../../core/names.ts'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { isStartOf } from '../../core/agent/schedule.ts'
import { isCopyingAdapter } from '../../core/agent/session-files.ts'
import { findStoryBranchProblem } from '../../core/story/branch.ts'
import { type CopiedSession, placeOf } from '../../core/task/continues.ts'
import { stateOf } from '../../core/task/decide.ts'
import { executionLabels } from '../../core/task/start.ts'
import { clip } from '../../core/text.ts'
import { addMs, endTimestamp, toTimestamp } from '../../core/time.ts'
import { type Action, type Step, idle, recordEvent } from '../action.ts'
import { unusableReason } from '../agent/unavailable.ts'
import type { ExecutionFolder } from '../volume.ts'
import { agentConfigOf } from './agent-config.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import {
  environmentOf,
  findUnprepared,
  findWaitEnd,
  formatEnvironmentWait,
  planEnvironment,
  tellEnvironmentProblem,
} from './environment.ts'
import { checksOf, checksOfEarlierRounds, clearCheckouts, observeRound, recordChecks, roundSince } from './checks.ts'
import { buildJob } from './job.ts'
import { type ObservedExecution, hasJobEnded } from './observe.ts'
import { mergePhases, podOf } from './phases.ts'
import { isJobFinished } from '../../kube/workload.ts'
import { isMadeFor, jobFailure } from './pods.ts'
import { endMessages, withMessages } from './messages.ts'
import { makeGiven, makePrompts } from './prompts.ts'
import { makeRunSpec } from './run-spec.ts'
import { keepLogs, servicesProblem } from './services.ts'
import { setupOf } from './setup.ts'
import { supervisePod } from './supervise-pod.ts'

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

const NO_WORK_LEFT =
  'the clone with the work that its checks hold back is gone, so nothing is left to deliver: run the task again'

function needsAgent({ spec }: Execution): boolean {
  return spec.purpose !== 'Deliver'
}

/** Whoever works, or judges the work, may run its tests. */
function needsServices({ execution }: ObservedExecution): boolean {
  return isWork(execution) || execution.spec.purpose === 'Evaluate'
}

function refuse(seen: ObservedExecution, category: ExecutionError['category'], message: string): Step {
  return end(seen, { state: 'FAILED', error: executionError({ category, message }) })
}

/** Job first, record second: a crash in between finds the Job by its name. */
function makeJob(seen: ObservedExecution, n: number, asked: ExecutionStatus): Step {
  const { task, execution, agent, project, before, context, now } = seen
  const lacksAgent = needsAgent(execution) && agent === undefined
  if (lacksAgent || before === undefined || before.git.kind === 'refused') {
    return refuse(seen, 'unavailable', `agent or repository of ${execution.metadata.name} is gone`)
  }
  if (before.volumeProblem !== undefined) return refuse(seen, 'unavailable', before.volumeProblem)
  if (execution.spec.checksWaived !== undefined && !before.hasClone) return refuse(seen, 'git', NO_WORK_LEFT)
  const { earlier, since } = beginAnew(seen, n)
  const change = { ...since, ...asked }
  const known = { ...earlier, ...change }
  const run = makeRunSpec(seen, agent, before.git, { jobNumber: n, status: known })
  const isBare = run.deliverOnly && run.checks === undefined
  const plan = isBare ? {} : planEnvironment(seen, run.keepClone)
  const containerImage = isPrepare(execution) ? undefined : (task.spec.containerImage ?? project?.spec.containerImage)
  // Where the agent has done its work nothing gets its credentials any more.
  const imageProblem = agent && !run.deliverOnly ? findImageProblem(agent, containerImage) : undefined
  if (imageProblem !== undefined) return refuse(seen, 'credentials', imageProblem)
  const told = makePrompts(seen, known)
  if ('problem' in told) return refuse(seen, 'unavailable', told.problem)
  const { agentConfig, secrets } = agentConfigOf(seen)
  const given = agentConfig && makeGiven(told, agentConfig)
  const { git } = before
  const job = buildJob({
    settings: context.settings,
    labels: labelsOf(seen),
    execution,
    agent,
    run: { ...run, ...withoutAbsent({ given: given?.digest }) },
    gitSecret: git.secret?.name,
    localRepository: git.localPaths,
    ownGit: git.own,
    containerImage,
    secrets,
    services: isBare || !needsServices(seen) ? undefined : project?.spec.services,
    setup: setupOf(execution, project, seen.setupSecrets),
    caches: plan.mounted?.cache,
    checks: checksOf(seen, known),
  })
  // An interrupted step may have made the Job already.
  const isNew = n === 1 && !isMadeFor(seen.job, execution)
  // In a new round the agent is at work again: until it has ended, nothing that it leaves is to be delivered.
  const isNewRound = n === roundSince(known)
  const status = {
    ...omit(earlier, run.deliverOnly ? ['waitingFor'] : ['waitingFor', 'environment']),
    ...pathsOf(seen),
    ...omit(change, ['environment']),
    ...withoutAbsent({ environment: plan.status, continued: continuedOf(run) }),
    ...jobOf(execution, n, now),
  }
  // The record of a repeated delivery goes on where the agent's own part ended.
  const outcome = run.deliverOnly ? { agentOutcome: execution.status?.agentOutcome ?? 'succeeded' } : {}
  return {
    actions: [
      {
        kind: 'prepareVolume',
        ...foldersOf(seen, run),
        environment: environmentFolder(seen, run),
        isNew,
        given,
        hasInbox: run.hasInbox,
        continued: copiedSession(seen),
        checks: run.checks && { round: run.checks.round, names: run.checks.list.map(({ name }) => name) },
      },
      { kind: 'createJob', job },
      {
        kind: 'writeExecution',
        execution,
        status: { ...omit(status, isNewRound ? ['agentOutcome'] : []), ...outcome },
      },
      ...tellEnvironmentProblem(seen, status),
    ],
  }
}

/** A further Job goes on in what the first has begun with. */
function continuedOf({ continues }: RunSpec): ExecutionStatus['continued'] {
  if (continues === undefined) return undefined
  const { task, told } = continues
  return { task, ...withoutAbsent({ told: told === undefined ? undefined : clip(told, 1024) }) }
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

/** The session that prepare finds in the folder of the execution. */
function copiedSession({ before, continued, agent }: ObservedExecution): CopiedSession | undefined {
  const { session } = continued ?? {}
  const adapter = agent?.spec.adapter ?? ''
  const isCopied = before?.continuation?.kind === 'session' && session !== undefined && isCopyingAdapter(adapter)
  return isCopied ? { session, adapter } : undefined
}

/** Where prepare did not get as far as to take it. */
function clearContinued({ execution, continued }: ObservedExecution): Action[] {
  const path = `${executionPath(execution.metadata.name)}/${EXECUTION_FILES.continued}`
  return continued === undefined ? [] : [{ kind: 'removeFolders', paths: [path] }]
}

function isPrepare({ spec }: Execution): boolean {
  return spec.purpose === 'Prepare'
}

/** Its folders, and whose they are: the sandbox of a task is the task's. */
function foldersOf({ task, story, execution }: ObservedExecution, { mirror, repositoryUrl }: RunSpec) {
  const { name, namespace, uid = '' } = execution.metadata
  const inNamespace = withoutAbsent({ namespace })
  const own = { uid, name, ...inNamespace }
  const sandbox = sandboxOf(execution)
  const borrowed = withoutAbsent({ mirror })
  const repository = mirror === undefined ? undefined : parseGitUrl(repositoryUrl).clean
  if (!isWork(execution)) {
    // Those of a delivery stay with its task, also in the archive.
    const ofTask = execution.metadata.ownerReferences?.find(({ kind }) => kind === 'Task')?.uid
    const owner = { ...own, ...withoutAbsent({ task: ofTask }) }
    return { execution: name, owner, sandbox, sandboxOwner: { ...own, ...borrowed }, isSandboxNew: true, repository }
  }
  const { uid: ofTask = '', name: taskName } = task.metadata
  const sandboxOwner = { uid: ofTask, name: taskName, ...inNamespace, ...borrowed }
  const isSandboxNew = name === executionName(taskName, 1)
  const owner = { ...own, task: ofTask, place: placeOf({ task, story }) }
  return { execution: name, owner, sandbox, sandboxOwner, isSandboxNew, repository }
}

/** All environments of a project are the project's. */
function environmentFolder({ project }: ObservedExecution, { seal }: RunSpec): ExecutionFolder['environment'] {
  if (seal === undefined || project === undefined) return undefined
  const { uid = '', name, namespace } = project.metadata
  return { path: seal.folder, owner: { uid, name, ...withoutAbsent({ namespace }) } }
}

/** A task's workload is found by its name; what runs beside it must not hold it up. */
function labelsOf({ task, execution }: ObservedExecution): Record<string, string> {
  const { agent = '' } = execution.spec
  const labels = Object.entries(executionLabels(task, agent, execution.metadata.name))
  return Object.fromEntries(
    labels.filter(([label, value]) => value !== '' && (isWork(execution) || label !== LABELS.task)),
  )
}

function jobOf({ metadata, status }: Execution, n: number, now: Date): ExecutionStatus {
  const startedAt = status?.startedAt ?? toTimestamp(now)
  return { state: 'RUNNING', jobs: n, jobName: jobName(metadata.name, n), startedAt }
}

/** Absolute paths, as people on the machine of the volume find them. */
function pathsOf({ execution, context }: ObservedExecution): ExecutionStatus {
  const { volumeRoot } = context.settings
  const files = `${volumeRoot}/${executionPath(execution.metadata.name)}`
  return {
    sandboxDir: `${volumeRoot}/${sandboxPath(sandboxOf(execution))}`,
    stdoutPath: `${files}/${EXECUTION_FILES.stdout}`,
    stderrPath: `${files}/${EXECUTION_FILES.stderr}`,
    artifactDir: `${files}/${EXECUTION_FILES.artifacts}`,
  }
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

interface Beginning {
  /** What stays of the record. */
  readonly earlier: ExecutionStatus
  readonly since: Pick<ExecutionStatus, 'roundSince' | 'anewSince'>
}

/** Where the clone is gone, what the agent did before is gone with it: what it said of it counts no more, nor does its session. */
function beginAnew({ execution, outcome, before }: ObservedExecution, n: number): Beginning {
  const { status: earlier = {} } = execution
  const hasDone = outcome !== undefined || earlier.agentOutcome !== undefined
  const isAnew = isWork(execution) && hasDone && before?.hasClone !== true
  return isAnew
    ? { earlier: omit(earlier, ['sessionId']), since: { roundSince: n, anewSince: n } }
    : { earlier, since: {} }
}

function end(seen: ObservedExecution, ending: ExecutionStatus): Step {
  const { execution, now } = seen
  const finishedAt = endTimestamp(now, execution.status?.startedAt)
  const before = omit(execution.status ?? {}, ['waitingFor'])
  const status = { ...before, ...endMessages(seen), ...recordChecks(seen), ...ending, finishedAt }
  const type = ending.state === 'COMPLETED' || ending.state === 'BLOCKED' ? 'Normal' : 'Warning'
  const message = ending.error?.message ?? `the execution ended as ${ending.state}`
  const leftovers = [...clearCheckouts(seen), ...clearContinued(seen)]
  // Nobody looks for them once the record says that it has ended; what still runs must not keep it from ending.
  const isOver = seen.openJobs.length === 0
  const writes: Action[] = [
    ...keepLogs(seen),
    ...takeBackCredentials(seen),
    ...(isOver ? leftovers : []),
    { kind: 'writeExecution', execution, status },
    ...(isOver ? [] : leftovers),
  ]
  // The Event of its task says that it went well.
  const isTold = isWork(execution) && ending.state === 'COMPLETED'
  return { actions: isTold ? writes : [...writes, recordEvent(execution, type, 'Ended', message)] }
}

/** While the slot is still held, so that the next execution starts with what this one's CLI renewed. */
function takeBackCredentials({ agent, execution, job }: ObservedExecution): Action[] {
  const since = job?.metadata.creationTimestamp ?? execution.status?.startedAt
  const hasFiles = (agent?.spec.credentials?.files ?? []).length > 0
  const isOurs = hasFiles && (execution.status?.jobs ?? 0) > 0
  if (agent === undefined || since === undefined || !isOurs) return []
  return [{ kind: 'takeBackCredentials', agent, sandbox: sandboxOf(execution), since }]
}
