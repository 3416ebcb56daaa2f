/**
 * What people decide about tasks and agents. Each decision is about what the person saw: the record is read once more,
 * compared with that, and the decision goes out with the entity tag of what was read (RFC 9110 §13.1.1). So neither
 * side decides about something that has changed meanwhile.
 */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import { type CallOptions, ApiFailure } from '../../core/rest/client/call.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { api } from './client.ts'
import { changedFields, decisiveFields, valueWords } from './changes.ts'
import type { Kind, Kinds } from './fold.ts'
import { store } from './queries.ts'

/** A decision with what it needs beside the record. */
export type TaskDecision =
  | { readonly action: Exclude<HumanTrigger, 'reject' | 'answer'> }
  | { readonly action: 'reject'; readonly comment: string }
  | { readonly action: 'answer'; readonly answer: string | Readonly<Record<string, string>> }

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

/**
 * Takes a decision about a task as the person saw it, and gives the server's words for what was done.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure the server's refusal
 */
export async function decideTask(seen: Task, decision: TaskDecision): Promise<string> {
  const params = { id: seen.id }
  const read = (options: CallOptions): Promise<Task> => api.getTask({ params }, options)
  const target = { params, ifMatch: await readAsSeen('tasks', seen, read, decisiveFields(decision.action)) }
  const { message } = await send(target, decision)
  await store.readWritten('tasks', () => api.getTask({ params }))
  return message
}

interface Target {
  readonly params: { readonly id: string }
  readonly ifMatch: string | undefined
}

function send(target: Target, decision: TaskDecision) {
  switch (decision.action) {
    case 'accept':
      return api.acceptTask(target)
    case 'reject':
      return api.rejectTask({ ...target, body: { comment: decision.comment } })
    case 'answer':
      return api.answerTask({ ...target, body: { answer: decision.answer } })
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

/**
 * Accepts a story as the person saw it, and gives the server's words for what was done.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure the server's refusal
 */
export async function acceptStory(seen: Story): Promise<string> {
  const params = { id: seen.id }
  const ifMatch = await readAsSeen('stories', seen, (options) => api.getStory({ params }, options))
  const { message } = await api.acceptStory({ params, ifMatch })
  await store.readWritten('stories', () => api.getStory({ params }))
  return message
}

/** Lets an agent take work again. @throws ApiFailure */
export async function undrainAgent(seen: Agent): Promise<string> {
  const { message } = await api.undrainAgent({ params: { agent: seen.id } })
  await store.readWritten('agents', () => api.getAgent({ params: { id: seen.id } }))
  return message
}

/**
 * Reads a record again and gives the entity tag of what was read, if it is still what the person saw.
 *
 * @param fields that the decision is about; left out: all that count
 * @throws ChangedMeanwhile
 * @throws ApiFailure
 */
export async function readAsSeen<K extends Kind>(
  kind: K,
  seen: Kinds[K],
  read: (options: CallOptions) => Promise<Kinds[K]>,
  fields?: readonly string[],
): Promise<string | undefined> {
  let etag: string | undefined
  const now = await store.readOne(kind, () =>
    read({ onHeaders: (headers) => (etag = headers.get('ETag') ?? undefined) }),
  )
  const changed = changedFields(kind, seen, now).filter((name) => fields === undefined || fields.includes(name))
  if (changed.length === 0) return etag
  const changes = changed.map((field) => ({ field, now: valueWords(now, field) }))
  throw new ChangedMeanwhile(seen.name, changes, standingOf(now), [seen, now])
}

function standingOf(record: Kinds[Kind]): string {
  if ('state' in record) return `: its state is ${record.state} now`
  return 'moves' in record ? `: its status is ${record.status} now` : ''
}

/**
 * Writes to a record that is still as the person saw it.
 *
 * @param write is given the entity tag to send as If-Match
 * @throws ChangedMeanwhile, also where somebody was faster than the write itself
 * @throws ApiFailure the server's refusal
 */
export async function writeAsSeen<K extends Kind, R>(
  kind: K,
  seen: Kinds[K],
  read: (options: CallOptions) => Promise<Kinds[K]>,
  write: (ifMatch: string | undefined) => Promise<R>,
): Promise<R> {
  const ifMatch = await readAsSeen(kind, seen, read)
  try {
    return await write(ifMatch)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 412) await readAsSeen(kind, seen, read)
    throw error
  }
}
