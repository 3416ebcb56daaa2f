/**
 * What people decide about tasks and agents. Each decision is about what the person saw: the record is read once more,
 * compared with that, and the decision goes out with the entity tag of what was read (RFC 9110 §13.1.1). So neither
 * side decides about something that has changed meanwhile.
 */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { api } from './client.ts'
import { changedFields } from './changes.ts'
import { store } from './queries.ts'

/** A decision with what it needs beside the record. */
export type TaskDecision =
  | { readonly action: Exclude<HumanTrigger, 'reject' | 'answer'> }
  | { readonly action: 'reject'; readonly comment: string }
  | { readonly action: 'answer'; readonly answer: string | Readonly<Record<string, string>> }

/** The record is no longer what the person saw; the view shows the new one by now. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'

  constructor(record: string, fields: readonly string[], state: string) {
    super(`${record} has changed while you looked at it (${fields.join(', ')}): ${state}. Nothing was done.`)
  }
}

/**
 * Takes a decision about a task as the person saw it, and gives the server's words for what was done.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure the server's refusal
 */
export async function decideTask(seen: Task, decision: TaskDecision): Promise<string> {
  const read = tagged((options) => api.getTask({ params: { id: seen.id } }, options))
  const now = await store.readOne('tasks', read.record)
  const changed = changedFields(seen, now)
  if (changed.length > 0) throw new ChangedMeanwhile(seen.name, changed, `its state is ${now.state} now`)
  const target = { params: { id: seen.id }, ifMatch: read.etag() }
  const { message } = await send(target, decision)
  await store.readOne('tasks', () => api.getTask({ params: { id: seen.id } }))
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
  const read = tagged((options) => api.getStory({ params: { id: seen.id } }, options))
  const now = await store.readOne('stories', read.record)
  const changed = changedFields(seen, now)
  if (changed.length > 0) throw new ChangedMeanwhile(seen.name, changed, `its status is ${now.status} now`)
  const { message } = await api.acceptStory({ params: { id: seen.id }, ifMatch: read.etag() })
  await store.readOne('stories', () => api.getStory({ params: { id: seen.id } }))
  return message
}

/** Lets an agent take work again. @throws ApiFailure */
export async function undrainAgent(seen: Agent): Promise<string> {
  const { message } = await api.undrainAgent({ params: { agent: seen.id } })
  await store.readOne('agents', () => api.getAgent({ params: { id: seen.id } }))
  return message
}

/** A read that keeps the entity tag of its answer. */
function tagged<R>(read: (options: { onHeaders: (headers: Headers) => void }) => Promise<R>) {
  let etag: string | undefined
  return {
    record: () => read({ onHeaders: (headers) => (etag = headers.get('ETag') ?? undefined) }),
    etag: () => etag,
  }
}
