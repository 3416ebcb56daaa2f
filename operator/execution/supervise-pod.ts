import { executionError } from '../../core/execution/error.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Execution, ServiceRestarts, ExecutionStatus } from '../../core/crd/types.ts'
import { stuckFrom } from '../../core/execution/stuck.ts'
import { omit } from '../../core/omit.ts'
import { serviceWords } from '../../core/sentences/services.ts'
import { addMs, earliest, endTimestamp, parseTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import { environmentOf, tellEnvironmentProblem } from './environment.ts'
import type { ObservedExecution } from './observe.ts'
import { checksOfPod, clearCheckouts, recordChecks } from './checks.ts'
import { mergePhases, podOf } from './phases.ts'
import { findPodWait, findSlowServiceTime, formatStepWait, isFinalRefusal, isForRoom, isWaiting } from './pod-wait.ts'
import { findPodExpectedBy, POD_LIMIT_MS } from './pods.ts'
import { endMessages } from './messages.ts'
import { keepLogs } from './services.ts'

/** A step that has not started by then never will: its image cannot be had, or no node takes the pod (specification §7.4). */
const START_LIMIT_MS = 10 * 60_000

/** A pod that runs, or is to come: its phases are recorded as they change, and two clocks are watched. */
export function supervisePod(seen: ObservedExecution): Step {
  const { now } = seen
  const stuckAt = findStuckTime(seen)
  if (stuckAt !== undefined && stuckAt <= now) return fail(seen, 'lost', formatStuckMessage(seen))
  const startBy = findStartLimit(seen)
  const { podRefusal } = seen
  if (podRefusal !== undefined && isFinalRefusal(podRefusal))
    return fail(seen, 'unavailable', formatRefusalMessage(podRefusal))
  if (startBy !== undefined && startBy <= now)
    return podRefusal === undefined
      ? fail(seen, 'unavailable', formatNotStartedMessage(seen))
      : fail(seen, 'lost', `the cluster took no pod within 10 minutes: ${podRefusal}`)
  return { actions: recordPhases(seen), requeueAt: earliest(stuckAt, startBy, findNextLook(seen)) }
}

/** A pod that is late may be refused later too. */
function findNextLook({ job, pod, podFacts, now }: ObservedExecution): Date | undefined {
  const slowAt = podFacts && findSlowServiceTime(podFacts)
  if (slowAt !== undefined) return slowAt > now ? slowAt : undefined
  const expectedBy = job === undefined || pod !== undefined ? undefined : findPodExpectedBy(job)
  return expectedBy === undefined || expectedBy > now ? expectedBy : addMs(now, POD_LIMIT_MS)
}

function recordPhases(observed: ObservedExecution): Action[] {
  const { execution, podFacts } = observed
  const { status } = execution
  const waitingFor = findPodWait(observed)
  const seen: ExecutionStatus = {
    ...omit(status ?? {}, ['waitingFor']),
    phases: mergePhases(status?.phases, podFacts),
    ...podOf(podFacts),
    ...environmentOf(observed),
    ...checksOfPod(observed),
    ...(waitingFor === undefined ? {} : { waitingFor }),
  }
  // Not as text: the API server gives fields back in an order of its own.
  const facts = ({
    phases = [],
    pod = {},
    services = [],
    checks = [],
    waitingFor,
    environment,
  }: ExecutionStatus): unknown => [environment, checks, phases, pod, services, waitingFor]
  const isKnown = isDeepStrictEqual(facts(seen), facts(status ?? {}))
  if (isKnown || isUnremarkable(execution, seen)) return []
  return [
    { kind: 'writeExecution', execution, status: seen },
    ...tellRestarts(execution, seen),
    ...tellEnvironmentProblem(observed, seen),
  ]
}

/** A service that dies is told at once: the agent's tests may fail by it. */
function tellRestarts(execution: Execution, { services = [] }: ExecutionStatus): Action[] {
  const before = execution.status?.services ?? []
  const isTold = (one: ServiceRestarts): boolean =>
    before.some(({ name, restarts }) => name === one.name && restarts >= one.restarts)
  return services
    .filter((one) => !isTold(one))
    .map((one) => recordEvent(execution, 'Warning', 'ServiceRestarted', serviceWords(one)))
}

/** That there is a first pod, of which nothing runs yet and nothing is wrong, is written with its first step. */
function isUnremarkable(
  { status }: ObservedExecution['execution'],
  { phases = [], pod, waitingFor }: ExecutionStatus,
): boolean {
  const isTold = status?.pod !== undefined || status?.waitingFor !== undefined
  return !isTold && phases.length === 0 && pod?.reason === undefined && waitingFor === undefined
}

function findStuckTime({ pod }: ObservedExecution): Date | undefined {
  const deletedAt = pod?.metadata.deletionTimestamp
  return deletedAt === undefined ? undefined : stuckFrom(deletedAt)
}

/** Counted from the end of the step before, for each step may have an image of its own. */
function findStartLimit({ job, podFacts, podRefusal, execution }: ObservedExecution): Date | undefined {
  if (job?.spec.suspend === true || (podRefusal !== undefined && isForRoom(podRefusal))) return undefined
  // Who was away for long, as a machine that slept, may see that the pod is gone before its Job says why.
  const known = execution.status?.pod?.name
  if (podFacts === undefined && job !== undefined && known?.startsWith(`${job.metadata.name}-`) === true)
    return undefined
  const steps = podFacts?.steps ?? []
  if (steps.some(({ phase }) => phase === 'running') || (steps.length > 0 && !steps.some(isWaiting))) return undefined
  const ended = steps.flatMap(({ finishedAt }) => finishedAt ?? []).sort()
  const since = ended.at(-1) ?? job?.status?.startTime ?? job?.metadata.creationTimestamp ?? execution.status?.startedAt
  return since === undefined ? undefined : addMs(parseTimestamp(since), START_LIMIT_MS)
}

function formatStuckMessage({ pod }: ObservedExecution): string {
  const name = pod?.metadata.name ?? ''
  return `pod ${name} does not end; delete it by force (kubectl delete pod ${name} --force) to free the agent's slot`
}

function formatRefusalMessage(reason: string): string {
  return `the cluster refuses the pod: ${reason}; change what refuses it, then run the task again`
}

function formatNotStartedMessage(seen: ObservedExecution): string {
  return `${formatStepWait(seen, 'did not start within 10 minutes')}; correct that, then run the task again`
}

function fail(seen: ObservedExecution, category: 'lost' | 'unavailable', message: string): Step {
  const { execution, pod, podFacts, now } = seen
  const phases = mergePhases(execution.status?.phases, podFacts)
  const error = executionError({ category, message })
  const ended = { state: 'FAILED', error, finishedAt: endTimestamp(now, execution.status?.startedAt) } as const
  const before = { ...omit(execution.status ?? {}, ['waitingFor']), ...endMessages(seen), ...recordChecks(seen) }
  const status = { ...before, phases, ...podOf(podFacts), ...ended }
  return {
    actions: [
      ...keepLogs({ execution, pod }),
      { kind: 'writeExecution', execution, status },
      ...clearCheckouts(seen),
      recordEvent(execution, 'Warning', 'Ended', message),
    ],
  }
}
