/**
 * What happens to tasks and can move their story, and which of it is later than the story's last change of status.
 *
 * Kubernetes' times have whole seconds, so time alone cannot say whether a task ended before or after a person moved
 * the story in that same second: taken one way the system undoes the person's move, taken the other it misses the end.
 * Each change of status therefore also notes the events of its second that had happened by then.
 */
import type { Story, Task } from '../crd/types.ts'
import { ANNOTATIONS } from '../names.ts'
import { isSatisfied } from '../task/dependencies.ts'
import { stateOf } from '../task/decide.ts'
import { isTimestamp, parseTimestamp, toTimestamp } from '../time.ts'

export interface TaskEvent {
  readonly kind: 'created' | 'queued' | 'rejected' | 'finished'
  readonly task: string
  /** RFC 3339. */
  readonly at: string
}

/** As many as the schema takes; the latest are kept. */
const MAX_COUNTED = 200

/** The events that a task carries: the latest of each kind. A task that came to its story later is new from then on. */
export function taskEvents(task: Task): TaskEvent[] {
  const { metadata, status = {} } = task
  const reject = status.decisions?.findLast(({ action }) => action === 'reject')
  const times = {
    created: joinedAt(task) ?? metadata.creationTimestamp,
    queued: status.queuedAt,
    rejected: reject?.at,
    finished: isSatisfied(stateOf(task)) ? status.finishedAt : undefined,
  }
  const kinds = ['created', 'queued', 'rejected', 'finished'] as const
  return kinds.flatMap((kind) => {
    const at = times[kind]
    return at === undefined ? [] : [{ kind, task: metadata.name, at }]
  })
}

/** The events that the story's last change of status did not know of (specification §5.7). */
export function eventsSinceChange({ status }: Story, tasks: readonly Task[]): TaskEvent[] {
  const events = tasks.flatMap(taskEvents)
  const since = status?.statusChangedAt
  if (since === undefined) return events
  const counted = new Set(status?.countedEvents)
  return events.filter((event) => isNotBefore(event.at, since) && !counted.has(identify(event)))
}

/** What a change of status at `at` has to note: everything known that time alone would count as later. */
export function eventsCountedAt({ status }: Story, tasks: readonly Task[], at: string): string[] {
  const known = tasks.flatMap(taskEvents).filter((event) => isNotBefore(event.at, at))
  const noted = (status?.countedEvents ?? []).filter((text) => isNotBefore(text.split(' ')[2] ?? '', at))
  return [...new Set([...noted, ...known.map(identify)])].slice(-MAX_COUNTED)
}

function identify({ kind, task, at }: TaskEvent): string {
  return `${kind} ${task} ${at}`
}

function isNotBefore(at: string, since: string): boolean {
  return parseTimestamp(at) >= parseTimestamp(since)
}

/** Anybody who may write the task may have written this, too. */
function joinedAt({ metadata }: Task): string | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.joinedStoryAt]
  return text !== undefined && isTimestamp(text) ? text : undefined
}

/** The task with a note of when it came to another story; without one where it is in none any more. */
export function markJoined(task: Task, at: Date): Task {
  const { [ANNOTATIONS.joinedStoryAt]: _, ...annotations } = task.metadata.annotations ?? {}
  const joined = task.spec.storyId === undefined ? {} : { [ANNOTATIONS.joinedStoryAt]: toTimestamp(at) }
  return { ...task, metadata: { ...task.metadata, annotations: { ...annotations, ...joined } } }
}
