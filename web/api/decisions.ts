/**
 * What people decide about tasks and agents. Each decision is about what the person saw: the record is read once more,
 * compared with that, and the decision goes out with the entity tag of what was read (RFC 9110 §13.1.1). So neither
 * side decides about something that has changed meanwhile. Accept and answer wait after that for a person to take them
 * back (held-decisions.ts); the comparison is that of the press.
 */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import { type CallOptions, ApiFailure } from '../../core/rest/client/call.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { DOING_WORDS } from '../model/task-words.ts'
import { messageOf } from '../model/texts.ts'
import { api } from './client.ts'
import { assertAllowed, changedFields, decisiveFields, valueWords } from './changes.ts'
import type { Kind, Kinds } from './fold.ts'
import { type Step, createHeldDecisions } from './held-decisions.ts'
import { readRecord, readWritten } from './queries.ts'

/** A decision with what it needs beside the record. */
export type TaskDecision =
  | { readonly action: Exclude<HumanTrigger, 'reject' | 'answer' | 'revise' | 'waive'> }
  | Rejection
  | { readonly action: 'revise'; readonly comment: string }
  | { readonly action: 'waive'; readonly reason: string }
  | { readonly action: 'answer'; readonly answer: string | Readonly<Record<string, string>> }

/** Sends the work back. */
export interface Rejection {
  readonly action: 'reject'
  readonly comment: string
  /** The next attempt is started too. */
  readonly runs?: boolean
}

/** What somebody else has made of a field meanwhile. */
export interface ForeignChange {
  readonly field: string
  /** What it has now, in words. */
  readonly now: string
}

/** The record is no longer what the person saw; the view shows the new one by now. */
export class ChangedMeanwhile<R = unknown> extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly changes: readonly ForeignChange[]
  readonly seen: R
  /** What the person is told of, which they have seen from then on; later messages may bring another. */
  readonly now: R

  /** @param standing where the record stands now; '' for one that has no state */
  constructor(name: string, changes: readonly ForeignChange[], standing: string, [seen, now]: readonly [R, R]) {
    const fields = changes.map(({ field }) => field).join(', ')
    super(`${name} has changed while you looked at it (${fields})${standing}. Nothing was done.`)
    this.changes = changes
    this.seen = seen
    this.now = now
  }
}

/** Whether a failure says that this very record has changed. */
export function isChangeOf<R>(seen: R, error: unknown): error is ChangedMeanwhile<R> {
  return error instanceof ChangedMeanwhile && error.seen === seen
}

/** How long an accept or an answer can be taken back. */
const UNDO_MS = 5_000

/** The decisions of this page that are under way. */
export const decisions = createHeldDecisions({
  nowMs: Date.now,
  startTimer(act, inMs) {
    const timer = setTimeout(act, inMs)
    return () => clearTimeout(timer)
  },
})

/**
 * Takes a decision about a task as the person saw it, and gives the server's words for what was done; undefined if the
 * person took it back.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure the server's refusal
 */
export function decideTask(seen: Task, decision: TaskDecision): Promise<string | undefined> {
  const { action } = decision
  return take(taskStep(seen, decision), action, `“${seen.name}”`)
}

/** Accepts a story as the person saw it; else as {@link decideTask}. */
export function acceptStory(seen: Story): Promise<string | undefined> {
  return take(storyStep(seen), 'accept', `“${seen.name}”`)
}

function take({ key, check, send }: Step, action: HumanTrigger, what: string): Promise<string | undefined> {
  return decisions.take({
    ...waitOf(action),
    what,
    keys: [key],
    check: async () => {
      await check()
      return [key]
    },
    send,
  })
}

/** What a decision is called while it is under way, and how long it can be taken back. */
export function waitOf(action: HumanTrigger): { readonly doing: string; readonly waitMs: number } {
  return { doing: DOING_WORDS[action], waitMs: action === 'accept' || action === 'answer' ? UNDO_MS : 0 }
}

/** The name of a record for {@link decisions}. */
export function keyOf(kind: Kind, id: string): string {
  return `${kind}/${id}`
}

export function taskStep(seen: Task, decision: TaskDecision): Step {
  return stepAsSeen('tasks', seen, {
    action: decision.action,
    fields: decisiveFields(decision.action),
    write: (ifMatch) => send({ params: { id: seen.id }, ifMatch }, decision),
  })
}

export function storyStep(seen: Story): Step {
  return stepAsSeen('stories', seen, {
    action: 'accept',
    write: (ifMatch) => api.acceptStory({ params: { id: seen.id }, ifMatch }, LAST),
  })
}

interface SeenWrite {
  readonly action: HumanTrigger
  /** That the decision is about; left out: all that count. */
  readonly fields?: readonly string[] | undefined
  readonly write: (ifMatch: string | undefined) => Promise<{ readonly message: string }>
}

function stepAsSeen<K extends 'tasks' | 'stories'>(
  kind: K,
  seen: Kinds[K],
  { action, fields, write }: SeenWrite,
): Step {
  let ifMatch: string | undefined
  const check = async (): Promise<void> => {
    const { now, etag } = await compareWithSeen(kind, seen, fields)
    assertAllowed(now, action)
    ifMatch = etag
  }
  return {
    key: keyOf(kind, seen.id),
    check,
    async send() {
      const { message } = await write(ifMatch).catch(async (error: unknown) => {
        if (!isPreconditionFailure(error)) throw error
        // Either it says what has changed, or that is nothing that a decision hangs on.
        await check()
        return write(ifMatch)
      })
      await readWritten(kind, seen.id)
      return message
    },
  }
}

function isPreconditionFailure(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 412
}

/** A page that is being closed finishes such a request. */
const LAST: CallOptions = { keepalive: true }
/** Browsers send no more than 64 KiB behind a page's back (Fetch standard, section 4.6): a longer text goes as usual. */
const MAX_LAST_LENGTH = 16_000

interface Target {
  readonly params: { readonly id: string }
  readonly ifMatch: string | undefined
}

function send(target: Target, decision: TaskDecision): Promise<{ readonly message: string }> {
  switch (decision.action) {
    case 'accept':
      return api.acceptTask(target, LAST)
    case 'reject':
      return reject(target, decision)
    case 'answer': {
      const body = { answer: decision.answer }
      return api.answerTask({ ...target, body }, JSON.stringify(body).length > MAX_LAST_LENGTH ? {} : LAST)
    }
    case 'waive':
      return api.waiveTask({ ...target, body: { reason: decision.reason } })
    case 'revise':
      return api.reviseTask({ ...target, body: { comment: decision.comment } })
    case 'resume':
      return api.resumeTask(target)
    case 'run':
      return api.runTask(target)
    case 'cancel':
      return api.cancelTask(target)
    default:
      return decision satisfies never
  }
}

/** Rejects the work; the next attempt is a request of its own, whose failure leaves the rejection as it is. */
async function reject(target: Target, { comment, runs = false }: Rejection): Promise<{ readonly message: string }> {
  const rejected = await api.rejectTask({ ...target, body: { comment } })
  if (!runs) return rejected
  try {
    const { message } = await api.runTask({ params: target.params })
    return { message: `${rejected.message}, ${message}` }
  } catch (error) {
    return { message: `${rejected.message}, but the next attempt was not started: ${messageOf(error)}` }
  }
}

/** Lets an agent take work again. @throws ApiFailure */
export async function undrainAgent(seen: Agent): Promise<string> {
  const { message } = await api.undrainAgent({ params: { agent: seen.id } })
  await readWritten('agents', seen.id)
  return message
}

/**
 * Reads a record again and gives it with the entity tag of what was read, if it is still what the person saw.
 *
 * @param fields that the decision is about; left out: all that count
 * @throws ChangedMeanwhile
 * @throws ApiFailure
 */
async function compareWithSeen<K extends Kind>(
  kind: K,
  seen: Kinds[K],
  fields?: readonly string[],
): Promise<{ readonly now: Kinds[K]; readonly etag: string | undefined }> {
  let etag: string | undefined
  const onHeaders = (headers: Headers): void => void (etag = headers.get('ETag') ?? undefined)
  const now = await readRecord(kind, seen.id, { onHeaders })
  const changed = changedFields(kind, seen, now).filter((name) => fields === undefined || fields.includes(name))
  if (changed.length === 0) return { now, etag }
  const changes = changed.map((field) => ({ field, now: valueWords(now, field) }))
  throw new ChangedMeanwhile(seen.name, changes, standingOf(now), [seen, now])
}

function standingOf(record: Kinds[Kind]): string {
  if ('state' in record) return `: its state is ${record.state} now`
  return 'moves' in record ? `: its status is ${record.status} now` : ''
}

/**
 * Writes to a record that is still as the person saw it, whatever nobody decides by, such as a status, becomes meanwhile.
 *
 * @param write is given the entity tag to send as If-Match
 * @param fields that the write is about; left out: all that count
 * @throws ChangedMeanwhile, also where somebody was faster than the write itself
 * @throws ApiFailure the server's refusal
 */
export async function writeAsSeen<K extends Kind, R>(
  kind: K,
  seen: Kinds[K],
  write: (ifMatch: string | undefined) => Promise<R>,
  fields?: readonly string[],
): Promise<R> {
  const readTag = async () => (await compareWithSeen(kind, seen, fields)).etag
  const ifMatch = await readTag()
  try {
    return await write(ifMatch)
  } catch (error) {
    if (!isPreconditionFailure(error)) throw error
    // Either it says what has changed, or the operator was faster, which writes nothing that counts.
    return write(await readTag())
  }
}
