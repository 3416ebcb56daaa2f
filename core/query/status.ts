import { limitedUntil, closedReason } from '../agent/schedule.ts'
import type { Agent, Execution } from '../crd/types.ts'
import { refuse } from '../decision.ts'
import { type ApiError, apiError } from '../errors.ts'
import { executionState } from '../execution/state.ts'
import { parseTimestamp } from '../time.ts'
import { hintForCaller } from '../transcript/hints.ts'

/** What a query has come to. */
export type QueryStatus =
  | { readonly kind: 'waiting' }
  /** The answer lies on the data volume. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused'; readonly error: ApiError }

/** Everything that the status depends on. */
export interface QueryFacts {
  /** Undefined once it is deleted. */
  readonly execution: Execution | undefined
  readonly agent: Agent | undefined
  readonly now: Date
}

/**
 * Whether there is an answer, and what a caller is told who gets none: 422 for an agent that twice gave an answer of
 * the wrong form, 504 for one that was too slow, 503 for one that may answer later, 502 for any other failure.
 *
 * Source: specification §5.11, §6.14.
 */
export function queryStatus(seen: QueryFacts): QueryStatus {
  const { execution } = seen
  if (execution === undefined)
    return refuse(apiError('agent_failed', 'the execution was deleted before it gave an answer'))
  const state = executionState(execution)
  switch (state) {
    case 'PENDING':
    case 'RUNNING':
      return statusWhileOpen(execution, seen)
    case 'COMPLETED':
      return execution.status?.answer === 'Usable' ? { kind: 'answered' } : refuse(unusable(execution))
    case 'FAILED':
    case 'BUDGET_EXCEEDED':
      return refuse(errorOfFailure(execution, seen))
    case 'TIMED_OUT':
      return refuse(apiError('agent_timed_out', formatMessage(execution, 'was too slow')))
    case 'CANCELLED':
      return refuse(apiError('agent_failed', formatMessage(execution, 'was cancelled')))
    case 'BLOCKED':
      return refuse(apiError('agent_failed', formatMessage(execution, 'asked a question in place of an answer')))
    default:
      return state satisfies never
  }
}

/** What a caller is told whose patience, or ours, is over. */
export function formatDelayMessage(execution: Execution | undefined, limitMs: number): string {
  const { metadata, spec, status } = execution ?? {}
  const doing = status?.startedAt === undefined ? 'has not begun' : 'was still working'
  return `no answer within ${limitMs / 1000} s: agent ${spec?.agent ?? ''} ${doing} (execution ${metadata?.name ?? ''})`
}

/** One that has begun is let go on; one that has not would wait until the limit or a person lets its agent work. */
function statusWhileOpen({ status }: Execution, { agent, now }: QueryFacts): QueryStatus {
  const closed = status?.startedAt === undefined && agent !== undefined ? closedReason(agent, now) : undefined
  if (closed === undefined || agent === undefined) return { kind: 'waiting' }
  return refuse(apiError('agent_unavailable', closed, secondsUntil(limitedUntil(agent, now), now)))
}

/** Asked again after a limit without a known end, in seconds: about as long as the operator waits at first. */
const RETRY_AFTER = { rate_limit: 60, quota: 3600 } as const

function errorOfFailure(execution: Execution, { agent, now }: QueryFacts): ApiError {
  const { answer, error, resumeAfter } = execution.status ?? {}
  if (answer === 'Unusable') return unusable(execution)
  if (error?.category === 'rate_limit' || error?.category === 'quota') {
    const ends = resumeAfter ?? (agent && limitedUntil(agent, now))
    const seconds = secondsUntil(ends, now) ?? RETRY_AFTER[error.category]
    return apiError('agent_unavailable', formatMessage(execution, 'met a limit'), seconds)
  }
  if (error?.category === 'credentials' || error?.category === 'unavailable')
    return apiError('agent_unavailable', formatMessage(execution, 'cannot work'))
  return apiError('agent_failed', formatMessage(execution, 'failed'))
}

function unusable(execution: Execution): ApiError {
  return apiError('unprocessable', formatMessage(execution, 'gave no usable answer, not even when asked again'))
}

function formatMessage({ metadata, spec, status }: Execution, what: string): string {
  const reason = status?.error?.message === undefined ? '' : `: ${hintForCaller(status.error.message)}`
  return `agent ${spec.agent ?? ''} ${what}${reason} (execution ${metadata.name})`
}

function secondsUntil(at: string | undefined, now: Date): number | undefined {
  if (at === undefined) return undefined
  return Math.max(1, Math.ceil((parseTimestamp(at).getTime() - now.getTime()) / 1000))
}
