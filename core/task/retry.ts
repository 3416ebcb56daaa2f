import type { Agent, Execution, Task } from '../crd/types.ts'
import { addMs, parseTimestamp, toTimestamp } from '../time.ts'

/** Automatic attempts since a person last decided, when the task says nothing. */
const DEFAULT_MAX_ATTEMPTS = 3

const MINUTE_MS = 60_000

/** Waiting time before the first, second, third automatic attempt; the last one holds for those beyond. */
const DELAYS_MS = {
  rate_limit: [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS),
  lost: [0, 30_000, 2 * MINUTE_MS],
} as const

/** A failed execution of a task, and what its retry depends on beside it. */
export interface Failure {
  readonly task: Task
  readonly execution: Execution
  /** Undefined: it is gone. */
  readonly agent: Agent | undefined
  readonly now: Date
}

/** Whether automatic attempts are wanted of this agent; one that is gone forbids nothing. */
export function resumesByItself(agent: Agent | undefined): boolean {
  return agent?.spec.autoResume !== false
}

/**
 * When a task whose execution failed is tried again by itself (RFC 3339), or undefined when it waits for a person. A
 * limit that says when it ends is waited for, and of another the end that its agent assumes (specification §6.9). An
 * agent may be told to try nothing again by itself.
 *
 * Source: specification §4.15.
 */
export function findResumeAfter(failure: Failure): string | undefined {
  const at = findRetryTime(failure)
  return at === undefined ? undefined : toTimestamp(at)
}

function findRetryTime({ task, execution, agent, now }: Failure): Date | undefined {
  if (!resumesByItself(agent)) return undefined
  const attempts = attemptsUsed(task, execution)
  if (attempts >= (task.spec.maxAttempts ?? DEFAULT_MAX_ATTEMPTS)) return undefined
  const { error, resumeAfter } = execution.status ?? {}
  const limitEnds = resumeAfter === undefined ? undefined : parseTimestamp(resumeAfter)
  if (error?.category === 'quota') return limitEnds ?? assumedEnd(agent)
  if (error?.category === 'lost') return addMs(now, delayMs(DELAYS_MS.lost, attempts))
  // A remote that fails for a while: the runner names a time then, and none for what only a person can mend.
  const mayPass = error?.category === 'git' && limitEnds !== undefined
  if (error?.category !== 'rate_limit' && !mayPass) return undefined
  return later(addMs(now, delayMs(DELAYS_MS.rate_limit, attempts)), limitEnds)
}

/**
 * The automatic attempts that a task has used up when this execution has ended. A limit that an agent met after it had worked
 * gives its attempt back: long work would otherwise end with the attempts, however often it got on.
 */
export function attemptsUsed(task: Task, { status }: Execution): number {
  const attempts = task.status?.attempts ?? 0
  const { error, tokens, costUSD = 0 } = status ?? {}
  const hasMetLimit = error?.category === 'quota' || error?.category === 'rate_limit'
  const hasWorked = (tokens?.output ?? 0) > 0 || costUSD > 0
  return hasMetLimit && hasWorked ? Math.max(0, attempts - 1) : attempts
}

/** Its agent knows of the limit already. */
function assumedEnd(agent: Agent | undefined): Date | undefined {
  const { assumedLimit, rateLimitedUntil } = agent?.status ?? {}
  return assumedLimit === undefined || rateLimitedUntil === undefined ? undefined : parseTimestamp(rateLimitedUntil)
}

function delayMs(delays: readonly number[], attempts: number): number {
  return delays[Math.min(attempts, delays.length - 1)] ?? 0
}

function later(a: Date, b: Date | undefined): Date {
  return b !== undefined && b > a ? b : a
}
