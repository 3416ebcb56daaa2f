import { isDeepStrictEqual } from 'node:util'
import type { ExecutionStatus } from '../../core/crd/types.ts'
import type { StepFacts } from '../../core/execution/outcome.ts'
import { stuckFrom } from '../../core/execution/stuck.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../core/time.ts'
import type { Action, Step } from '../action.ts'
import type { ObservedExecution } from './observe.ts'
import { mergePhases, podOf } from './phases.ts'

/** A step that has not started by then never will: its image cannot be had, or no node takes the pod (specification §7.4). */
const START_LIMIT_MS = 10 * 60_000

/** A pod that runs, or is to come: its phases are recorded as they change, and two clocks are watched. */
export function supervisePod(seen: ObservedExecution): Step {
  const { now } = seen
  const stuckAt = findStuckTime(seen)
  if (stuckAt !== undefined && stuckAt <= now) return fail(seen, 'lost', formatStuckMessage(seen))
  const startBy = findStartLimit(seen)
  if (startBy !== undefined && startBy <= now) return fail(seen, 'unavailable', formatNotStartedMessage(seen))
  return { actions: recordPhases(seen), requeueAt: earlier(stuckAt, startBy) }
}

function recordPhases({ execution, podFacts }: ObservedExecution): Action[] {
  const { status } = execution
  const seen: ExecutionStatus = { ...status, phases: mergePhases(status?.phases, podFacts), ...podOf(podFacts) }
  // Not as text: the API server gives fields back in an order of its own.
  const facts = ({ phases = [], pod = {} }: ExecutionStatus): unknown => [phases, pod]
  const isKnown = isDeepStrictEqual(facts(seen), facts(status ?? {}))
  return isKnown ? [] : [{ kind: 'writeExecution', execution, status: seen }]
}

function findStuckTime({ pod }: ObservedExecution): Date | undefined {
  const deletedAt = pod?.metadata.deletionTimestamp
  return deletedAt === undefined ? undefined : stuckFrom(deletedAt)
}

/** Counted from the end of the step before, for each step may have an image of its own. */
function findStartLimit({ job, podFacts, execution }: ObservedExecution): Date | undefined {
  const steps = podFacts?.steps ?? []
  if (steps.some(({ phase }) => phase === 'running') || (steps.length > 0 && !steps.some(isWaiting))) return undefined
  const ended = steps.flatMap(({ finishedAt }) => finishedAt ?? []).sort()
  const since = ended.at(-1) ?? job?.metadata.creationTimestamp ?? execution.status?.startedAt
  return since === undefined ? undefined : addMs(parseTimestamp(since), START_LIMIT_MS)
}

function isWaiting({ phase }: StepFacts): boolean {
  return phase === 'waiting'
}

function formatStuckMessage({ pod }: ObservedExecution): string {
  const name = pod?.metadata.name ?? ''
  return `pod ${name} does not end; delete it by force (kubectl delete pod ${name} --force) to free the agent's slot`
}

function formatNotStartedMessage({ pod, podFacts }: ObservedExecution): string {
  const scheduling = pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  const next = podFacts?.steps.find(isWaiting)
  const reason =
    scheduling?.message ??
    next?.reason ??
    podFacts?.message ??
    (pod === undefined ? 'no pod was made' : 'no reason given')
  const image = pod?.spec.initContainers?.find(({ name }) => name === next?.name)?.image
  return `step ${next?.name ?? 'prepare'} did not start within 10 minutes: ${reason}${image === undefined ? '' : ` (image ${image})`}`
}

function fail(
  { execution, podFacts, now }: ObservedExecution,
  category: 'lost' | 'unavailable',
  message: string,
): Step {
  const phases = mergePhases(execution.status?.phases, podFacts)
  const ended = { state: 'FAILED', error: { category, message }, finishedAt: toTimestamp(now) } as const
  const status = { ...execution.status, phases, ...podOf(podFacts), ...ended }
  const event = { regarding: execution, type: 'Warning', reason: 'Ended', message } as const
  return {
    actions: [
      { kind: 'writeExecution', execution, status },
      { kind: 'recordEvent', event },
    ],
  }
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
