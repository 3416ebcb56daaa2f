/**
 * Follows a task until it comes to rest: shows what its agent says and what it waits for, and asks what it asks.
 *
 * The record of the task decides, and is read again after each step; streams only show. So nothing is missed when the
 * connection breaks or the server restarts: the stream goes on after the last event.
 */
import { goesOn } from '../../core/attention.ts'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { ServerEvent } from '../../core/rest/client/events.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import type { Terminal } from '../command.ts'
import { askPerson } from './ask-person.ts'
import { formatAsked, formatTaskMessage, formatTold, DETACHED, EXIT_CODES } from './outcome.ts'
import { print } from './output.ts'
import { findExecution, findParts } from './parts.ts'
import { withProgress } from './progress.ts'
import { type Session, ServerUnreachable } from './session.ts'
import { oneLine, printable } from './text.ts'

export const POLL_MS = 1000
/** Enough for what to do against the waiting, which stands at the end of the text. */
const MAX_WAIT = 2000
/** How long a server may be away before the command gives up. */
const AWAY_LIMIT_MS = 120_000

export interface FollowOptions {
  readonly session: Session
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly clock: Clock
  /** True: shows the raw output in place of the conversation. */
  readonly isRaw?: boolean
  /** An execution that is over and is not shown again. */
  readonly shown?: string | undefined
  /** How long the task may wait for its first run before the command ends; absent: for ever. */
  readonly startWithinMs?: number | undefined
}

/** @returns the exit code of the task's state, or of Ctrl-C, which does not stop the task */
export async function followTask(options: FollowOptions, id: string): Promise<number> {
  const { signal, terminal, session } = options
  try {
    const task = await followToRest(options, id)
    const { execution_id } = task
    const isNamed = execution_id !== undefined && session.form === 'table' && !signal.aborted
    const execution = isNamed ? await session.api.getExecution({ params: { id: execution_id } }, { signal }) : undefined
    print(terminal, session.form, task, () => `\n${formatTaskMessage(task, execution)}`)
    // Ctrl-C at a question leaves it open, as Enter does.
    return signal.aborted && task.state === 'BLOCKED' ? DETACHED : EXIT_CODES[task.state]
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.err(
      `\nLeft alone: ${id} goes on, and its agent may go on spending. Follow it again: slipway logs -f ${id}\n`,
    )
    terminal.err(`End it: slipway cancel ${id}\n`)
    return DETACHED
  }
}

async function followToRest(options: FollowOptions, id: string): Promise<Task> {
  const { session, clock, signal, terminal, startWithinMs = Infinity } = options
  const startBy = clock.now().getTime() + startWithinMs
  const shown = new Set(options.shown === undefined ? [] : [options.shown])
  const before = shown.size
  for (;;) {
    const isLate = (): boolean => shown.size === before && clock.now().getTime() >= startBy
    const task = await waitToGoOn(options, id, shown, isLate)
    if (isToShow(task, shown)) {
      if (!(await showParts(options, task, task.execution_id, shown))) await delay(clock, POLL_MS, signal)
      continue
    }
    const isAsked = task.state === 'BLOCKED' && task.question !== undefined
    const answer = isAsked ? await askPerson(terminal, task, signal) : undefined
    if (answer === undefined) return task
    await session.api.answerTask({ params: { id }, body: { answer } }, { signal })
  }
}

/** Whether a run has begun that has not been shown. */
function isToShow(task: Task, shown: ReadonlySet<string>): task is Task & { readonly execution_id: string } {
  return task.state !== 'QUEUED' && task.execution_id !== undefined && !shown.has(task.execution_id)
}

/** Waits, and says for what, until there is something to show or to ask, nothing more will come, or it is too late. */
async function waitToGoOn(
  options: FollowOptions,
  id: string,
  shown: ReadonlySet<string>,
  isLate: () => boolean,
): Promise<Task> {
  const { session, clock, signal, terminal } = options
  let task: Task | undefined
  const line = (elapsed: string): string => (task === undefined ? elapsed : waitingLine(task, elapsed))
  return withProgress({ terminal, form: session.form, clock }, line, async (progress) => {
    const say = onChange(progress.terminal)
    for (;;) {
      const above = { ...options, terminal: progress.terminal }
      task = await retryWhileAway(above, () => session.api.getTask({ params: { id } }, { signal }))
      const isAsking = task.state === 'BLOCKED' && task.question !== undefined
      if (isToShow(task, shown) || isAsking || !goesOn(task)) return task
      if (task.state === 'QUEUED' && isLate()) {
        progress.terminal.err(`${lateText(task)}\n`)
        return task
      }
      // What the line has no room for may end with what to do about it.
      if (!progress.fits(waitingLine(task, SOME_TIME))) say(waitingText(task))
      await delay(clock, POLL_MS, signal)
    }
  })
}

/** Takes as much room as any. */
const SOME_TIME = '59m59s'

/** A task that is waited for, in a line that changes with the time. */
export function waitingLine(task: Task, elapsed: string): string {
  const { id, state } = task
  const why = task.waiting_for === undefined ? undefined : waitingText(task)
  return `${id} ${state}, ${elapsed}${why === undefined ? '' : `: ${why.replace(/^waits: /, '')}`}`
}

function waitingText({ state, waiting_for, goes_on, error }: Task): string | undefined {
  if (waiting_for === undefined) return state === 'QUEUED' ? 'queued' : undefined
  const failed = goes_on?.at === undefined || error === undefined ? '' : `: ${oneLine(error, 200)}`
  return `waits: ${oneLine(waiting_for.replace(/^waits /, ''), MAX_WAIT)}${failed}`
}

function lateText({ id, waiting_for = 'nobody says why' }: Task): string {
  const reason = oneLine(waiting_for, MAX_WAIT)
  return `${id} has not started in time (${reason}). It stays queued. Follow it again: slipway logs -f ${id}`
}

/** Prints a text on stderr if it differs from the last one. */
function onChange(terminal: Terminal): (text: string | undefined) => void {
  let last: string | undefined
  return (text) => {
    if (text !== undefined && text !== last) terminal.err(`${text}\n`)
    last = text
  }
}

/**
 * Shows an execution, and before it those whose questions it goes on from, and enters them into `shown`.
 *
 * @returns false if it is not there yet: for a moment the task knows it by name only
 */
async function showParts(options: FollowOptions, task: Task, id: string, shown: Set<string>): Promise<boolean> {
  const say = outputOf(options)
  const parts = await retryWhileAway(options, () => findParts(options, id, shown))
  if (parts.length === 0 && task.state === 'RUNNING') return false
  for (const part of parts) {
    say(formatTold(part))
    await showExecution(options, task, part)
    shown.add(part.id)
    // The questions of the last one stand at the end, where they can be answered.
    if (part.id !== id) say(formatAsked(part))
  }
  shown.add(id)
  return true
}

/** A program that reads stdout must get the result alone. */
function outputOf({ terminal, session }: FollowOptions): Terminal['out'] {
  return session.form === 'table' ? terminal.out : terminal.err
}

async function showExecution(options: FollowOptions, task: Task, part: Execution): Promise<void> {
  const { terminal, session, clock, signal } = options
  const out = outputOf(options)
  const execution = part.id
  let record: Execution = part
  terminal.err(`${execution} with ${task.agent?.type ?? 'an agent'}\n`)
  const isOutput = options.isRaw === true || (await retryWhileAway(options, () => hasNoConversation(options, task)))
  let isSilent = true
  const say = (text: string): void => {
    isSilent = false
    out(text)
  }
  const { conversationPrinter } = await import('./conversation.ts')
  const showEvent = conversationPrinter(say)
  const show = async (event: ServerEvent): Promise<void> => {
    if (event.event === 'log') return say(`${printable(textOf(event))}\n`)
    if (isUnknown(event, record)) record = (await findExecution(options, execution)) ?? record
    showEvent(event.data, record)
  }
  const open = isOutput ? session.api.streamTaskLogs : session.api.streamTaskEvents
  let after: string | undefined
  const read = async (): Promise<boolean> => {
    const headers = after === undefined ? {} : { 'Last-Event-ID': after }
    for await (const event of open({ params: { id: task.id }, query: { execution } }, { signal, headers })) {
      if (event.event === 'end') return true
      await show(event)
      after = event.id ?? after
    }
    return false
  }
  // A server that stops ends its streams without the event `end`.
  while (!(await retryWhileAway(options, read))) await delay(clock, POLL_MS, signal)
  if (isSilent) terminal.err(`${execution}: no output\n`)
}

/** Whether an event is of something that the record, as it was read, does not have yet. */
function isUnknown({ data }: ServerEvent, { messages = [], checks = [] }: Execution): boolean {
  if (data['kind'] === 'checks') return !checks.some(({ round }) => round === data['round'])
  return data['kind'] === 'message' && !messages.some(({ id }) => id === data['id'])
}

function textOf({ data }: ServerEvent): string {
  return typeof data['line'] === 'string' ? data['line'] : ''
}

/** Whether the agent of a task only prints, as scripts do. */
export async function hasNoConversation(
  { session, signal }: Pick<FollowOptions, 'session' | 'signal'>,
  { agent }: Task,
): Promise<boolean> {
  return agent?.type !== undefined && isOfScripts({ session, signal }, agent.type)
}

/** Whether an agent runs scripts; if it is not there, or may not be read, its name decides. */
export async function isOfScripts(
  { session, signal }: Pick<FollowOptions, 'session' | 'signal'>,
  id: string,
): Promise<boolean> {
  try {
    return (await session.api.getAgent({ params: { id } }, { signal })).adapter === 'script'
  } catch (error) {
    if (error instanceof ApiFailure && [403, 404].includes(error.status)) return id === 'script'
    throw error
  }
}

/** Retries for two minutes while the server is away. */
export async function retryWhileAway<T>(
  { clock, signal, terminal }: Pick<FollowOptions, 'clock' | 'signal' | 'terminal'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const giveUpAt = clock.now().getTime() + AWAY_LIMIT_MS
  for (let isTold = false; ; isTold = true) {
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted || !isLostConnection(error) || clock.now().getTime() > giveUpAt) throw error
      if (!isTold) terminal.err('the server is away; trying again …\n')
      await delay(clock, POLL_MS, signal)
    }
  }
}

/** No server answers, it is starting or stopping, or a body ended too early (fetch throws a TypeError then). */
function isLostConnection(error: unknown): boolean {
  return (
    (error instanceof ServerUnreachable && error.isPassing) ||
    (error instanceof ApiFailure && error.status === 503) ||
    (error instanceof TypeError && error.message === 'terminated')
  )
}
