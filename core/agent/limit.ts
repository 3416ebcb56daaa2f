/**
 * Limits of an agent's provider, as its status knows them: until when it takes no work.
 *
 * A usage limit or a lack of credit whose end nobody names is taken to last an hour; then one task tries the agent, and
 * if that ends the same way the limit is four hours, then 24 each time (specification §6.9). The first task that ends
 * well, and an undrain, end that.
 */
import type { Agent, AgentEvent, AgentStatus, Execution } from '../crd/types.ts'
import { omit } from '../omit.ts'
import { addMs, parseTimestamp, toTimestamp } from '../time.ts'
import { clip } from '../text.ts'

const MAX_EVENTS = 500
const HOUR_MS = 3_600_000
const EVENTS_KEPT_MS = 24 * HOUR_MS
const UNKNOWN_THROTTLE_MS = 60_000

/** How many hours a limit without a known end is taken to last: the first, the second, and every further time. */
const ASSUMED_HOURS = [1, 4, 24] as const

/**
 * The agent's status once it knows of the limit that a query met, or that it met none; nothing else
 * of that counts. The very same when it knows already, or when the limit is over.
 */
export function recordLimit(agent: Agent, execution: Execution, now: Date): AgentStatus | undefined {
  const { status } = agent
  const isKnown = status?.events?.some((event) => event.execution === execution.metadata.name) === true
  const next = isKnown ? status : noteLimit(status ?? {}, execution, now)
  return status === undefined && next !== undefined && Object.keys(next).length === 0 ? undefined : next
}

/** The status with what the end of an execution says about limits; the very same when that is nothing new. */
export function noteLimit(status: AgentStatus, execution: Execution, now: Date): AgentStatus {
  const { state, error, finishedAt, resumeAfter } = execution.status ?? {}
  const metAt = finishedAt === undefined ? now : parseTimestamp(finishedAt)
  if (state === 'COMPLETED' || state === 'BLOCKED')
    return hasTried(status, execution) ? withoutAssumption(status) : status
  if (error?.category === 'rate_limit') {
    // A provider that throttles without saying for how long is left alone for as long as the first retry waits.
    return limit(status, execution, resumeAfter ?? toTimestamp(addMs(metAt, UNKNOWN_THROTTLE_MS)), now)
  }
  if (error?.category !== 'quota') return status
  if (resumeAfter === undefined) return assumeLimit(status, execution, metAt, now)
  return limit(withoutAssumption(status), execution, resumeAfter, now)
}

/** What ran already when the limit was met says nothing about whether it still holds. */
function assumeLimit(status: AgentStatus, execution: Execution, metAt: Date, now: Date): AgentStatus {
  const before = status.assumedLimit
  if (before !== undefined && !hasTried(status, execution)) return status
  const level = Math.min((before?.level ?? 0) + 1, ASSUMED_HOURS.length)
  const hours = ASSUMED_HOURS[level - 1] ?? 24
  const until = toTimestamp(addMs(metAt, hours * HOUR_MS))
  const assumed = { ...status, assumedLimit: { level, since: toTimestamp(now) } }
  const limited = limit(assumed, execution, until, now, `taken to last ${hours} h, for nobody names its end: `)
  return limited === assumed ? status : limited
}

/** Whether an execution began after the limit was assumed, and so has tried whether it still holds. */
function hasTried({ assumedLimit }: AgentStatus, { status }: Execution): boolean {
  if (assumedLimit === undefined || status?.startedAt === undefined) return false
  return parseTimestamp(status.startedAt) > parseTimestamp(assumedLimit.since)
}

function withoutAssumption(status: AgentStatus): AgentStatus {
  return status.assumedLimit === undefined ? status : omit(status, ['assumedLimit'])
}

function limit(status: AgentStatus, execution: Execution, until: string, now: Date, what = ''): AgentStatus {
  if (parseTimestamp(until) <= now || (status.rateLimitedUntil ?? '') >= until) return status
  const message = clip(`${what}${execution.status?.error?.message ?? ''}`, 1024)
  const event = { kind: 'rate_limited', at: toTimestamp(now), message, execution: execution.metadata.name } as const
  return addEvent({ ...status, rateLimitedUntil: until }, event, now)
}

/** The agent's status once its limit has passed, with the event of its recovery; the same while there is none. */
export function recoverIfDue(agent: Agent, now: Date): AgentStatus | undefined {
  const until = agent.status?.rateLimitedUntil
  if (until === undefined || parseTimestamp(until) > now) return agent.status
  return addEvent(omit(agent.status ?? {}, ['rateLimitedUntil']), { kind: 'recovered', at: toTimestamp(now) }, now)
}

/** Adds an event and drops those older than 24 hours. */
export function addEvent(status: AgentStatus, event: AgentEvent, now: Date): AgentStatus {
  const horizon = addMs(now, -EVENTS_KEPT_MS)
  const recent = (status.events ?? []).filter(({ at }) => parseTimestamp(at) > horizon)
  return { ...status, events: [...recent, event].slice(-MAX_EVENTS) }
}
