import type {
  Agent,
  AgentOutcomeRecord,
  AgentStatus,
  Execution,
  OutcomeCounted,
  Task,
  TaskStatus,
} from '../crd/types.ts'
import { rememberDecision } from '../decision.ts'
import { omit } from '../omit.ts'
import { parseTimestamp, toTimestamp } from '../time.ts'
import { addEvent, noteLimit } from './limit.ts'
import { clip } from '../text.ts'

/** Failures in a row that drain an agent (specification §6.6). */
export const DRAIN_AFTER = 3

const MAX_OUTCOMES = 50

/** What the end of an execution means for the drain of its agent (specification §6.6). */
export function countOutcome({ status }: Execution): OutcomeCounted {
  if (status?.state === 'COMPLETED' || status?.state === 'BLOCKED') return 'Success'
  if (status?.state === 'TIMED_OUT') return 'Failure'
  const category = status?.error?.category
  return status?.state === 'FAILED' && (category === 'failed' || category === 'auth') ? 'Failure' : 'Ignored'
}

/**
 * Failures since the last success or undrain, whichever is later: by their order in the list, and by what the undrain
 * has marked there. Instants of whole seconds could not tell what came first within one.
 */
export function consecutiveFailures(status: AgentStatus | undefined): number {
  const outcomes = status?.outcomes ?? []
  const lastSuccess = outcomes.findLastIndex(({ counted }) => counted === 'Success')
  const failures = outcomes.slice(lastSuccess + 1).filter(({ counted }) => counted === 'Failure')
  return failures.filter((failure) => !wasUndrainedUnmarked(status, failure)).length
}

/** An undrain by an earlier version, whose outcomes have no uid, marked nothing: of these the time must tell. */
function wasUndrainedUnmarked(status: AgentStatus | undefined, { uid, at }: AgentOutcomeRecord): boolean {
  const since = status?.undrainedAt
  return uid === undefined && since !== undefined && parseTimestamp(at) <= parseTimestamp(since)
}

/**
 * The agent's status once it knows how an execution ended: the outcome, a drain at the third failure in a row, and
 * the limit that the execution met. An execution that is already listed changes nothing, so that a crash between
 * this write and the task's counts nothing twice.
 */
export function recordOutcome(agent: Agent, execution: Execution, now: Date): AgentStatus {
  const before = agent.status ?? {}
  const { name, uid } = execution.metadata
  const listed = before.outcomes ?? []
  const isListed = (outcome: AgentOutcomeRecord): boolean =>
    outcome.execution === name && (uid === undefined || outcome.uid === undefined || outcome.uid === uid)
  if (listed.some(isListed)) return before
  const counting = countOutcome(execution)
  // A success ends a row of failures; where there is none it changes nothing, and nothing is written.
  const isUneventful = counting === 'Success' && consecutiveFailures(before) === 0
  if (isUneventful && noteLimit(before, execution, now) === before) return before
  const outcome = {
    execution: name,
    counted: counting,
    at: execution.status?.finishedAt ?? toTimestamp(now),
    ...(uid === undefined ? {} : { uid }),
  }
  // Its name may be listed for an execution of an earlier task of the same name.
  const others = listed.filter((other) => other.execution !== name)
  const counted = { ...before, outcomes: [...others, outcome].slice(-MAX_OUTCOMES) }
  return drainIfDue(noteLimit(counted, execution, now), execution, now)
}

/**
 * The agent's status after a person told it to go on, drained, limited or neither: older failures no longer count, and
 * a limit that lay ahead is over, because credit was bought, or the provider gave way.
 *
 * @param by who decided, as it is shown: a token's name, or `kubectl (annotation)`
 */
export function undrain(agent: Agent, by: string, now: Date): AgentStatus {
  const before = agent.status ?? {}
  const at = toTimestamp(now)
  const decisions = rememberDecision(before.decisions, { action: 'undrain', by, at } as const)
  const outcomes = before.outcomes?.map((outcome) =>
    outcome.counted === 'Failure' ? ({ ...outcome, counted: 'Undrained' } as const) : outcome,
  )
  const kept = omit(before, ['drained', 'rateLimitedUntil', 'assumedLimit'])
  const lifted = { ...kept, undrainedAt: at, decisions, ...(outcomes === undefined ? {} : { outcomes }) }
  const undrained = before.drained === undefined ? lifted : addEvent(lifted, { kind: 'undrained', at }, now)
  return before.rateLimitedUntil === undefined ? undrained : addEvent(undrained, { kind: 'recovered', at }, now)
}

/** What {@link undrain} did, in words for the answer and the Event. */
export function formatUndrainMessage({ status }: Agent): string {
  const until = status?.rateLimitedUntil
  return until === undefined ? 'agent undrained' : `agent undrained; its limit until ${until} is lifted`
}

function drainIfDue(status: AgentStatus, execution: Execution, now: Date): AgentStatus {
  if (status.drained !== undefined || consecutiveFailures(status) < DRAIN_AFTER) return status
  const reason = `${DRAIN_AFTER} failures in a row, the last one: ${execution.status?.error?.message ?? 'timed out'}`
  const task = execution.spec.taskRef?.name
  const { name } = execution.metadata
  const since = toTimestamp(now)
  const drained = { since, reason: clip(reason, 4096), execution: name, ...(task === undefined ? {} : { task }) }
  const event = { kind: 'drained', message: clip(reason, 1024), execution: name } as const
  return addEvent({ ...status, drained }, { ...event, at: since }, now)
}

/**
 * The status of a task whose agent was told to go on; undefined when that changes nothing. The question that the drain
 * set is gone, but not one of the agent's own, on a BLOCKED task; what waits for the end of a limit is due.
 */
export function releaseTask(agent: Agent, task: Task, now: Date): TaskStatus | undefined {
  const { status } = task
  if (status?.agent?.type !== agent.metadata.name) return undefined
  const hasFailed = status.state === 'FAILED' || status.state === 'TIMED_OUT'
  const answered = hasFailed && status.question !== undefined ? omit(status, ['question']) : status
  const released = waitsForLimit(status, now) ? { ...answered, resumeAfter: toTimestamp(now) } : answered
  return released === status ? undefined : released
}

function waitsForLimit({ state, error, resumeAfter }: TaskStatus, now: Date): boolean {
  const hasMetLimit = error?.category === 'rate_limit' || error?.category === 'quota'
  const hasEnded = state === 'FAILED' || state === 'BUDGET_EXCEEDED'
  return hasEnded && hasMetLimit && resumeAfter !== undefined && parseTimestamp(resumeAfter) > now
}
