/**
 * What happens to tasks and can move their story, and which of it the story's last change of status did not know.
 *
 * Times cannot tell: those of Kubernetes have whole seconds, and several machines write them. So each change of status
 * notes the events that were known by then, and later is what is not among them. Only the last 200 are noted; what is
 * older than all of these counts as known.
 */
import type { Story, StoryStatusFields, Task } from '../crd/types.ts'
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
function taskEvents(task: Task): TaskEvent[] {
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
  if (status?.statusChangedAt === undefined) return events
  // Earlier versions noted only what whole seconds could not tell.
  const since = status.countedFrom ?? status.statusChangedAt
  const counted = new Set(status.countedEvents)
  return events.filter((event) => isNotBefore(event.at, since) && !counted.has(identify(event)))
}

/** What a change of status has to note: everything that is known by now, here or to who changed it before. */
export function countEvents(
  { status }: Story,
  tasks: readonly Task[],
): Pick<StoryStatusFields, 'countedEvents' | 'countedFrom'> {
  const known = new Set([...(status?.countedEvents ?? []), ...tasks.flatMap(taskEvents).map(identify)])
  const noted = [...known].sort(byTime).slice(-MAX_COUNTED)
  const [oldest] = noted
  const isCut = noted.length < known.size && oldest !== undefined
  return { countedEvents: noted, countedFrom: isCut ? timeIn(oldest) : (status?.countedFrom ?? SINCE_EVER) }
}

/** Nothing had to be left out. */
const SINCE_EVER = '1970-01-01T00:00:00Z'

function identify({ kind, task, at }: TaskEvent): string {
  return `${kind} ${task} ${at}`
}

function timeIn(noted: string): string {
  return noted.split(' ')[2] ?? SINCE_EVER
}

function byTime(a: string, b: string): number {
  return parseTimestamp(timeIn(a)).getTime() - parseTimestamp(timeIn(b)).getTime()
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
