/** Tasks that go on from accepted work (`spec.continues`). Source: docs/adr/0017-continues.md. */
import { type CopyingAdapter, isCopyingAdapter, MAX_COPIED_SESSION_BYTES } from '../agent/session-files.ts'
import type { Execution, Story, Task } from '../crd/types.ts'
import { isOfTask, isWork } from '../execution/state.ts'
import { formatSize } from '../sentences/amounts.ts'
import { stateOf } from './decide.ts'
import { projectOf } from './project.ts'

/** A task, and the story that it belongs to, where that exists. */
export interface PlacedTask {
  readonly task: Task
  readonly story?: Story | undefined
}

/**
 * Why a task cannot go on from another one, in words; undefined where it can. A session may hold what its agent saw of its
 * project's secrets, so it stays in the project; without one, with the repository.
 */
export function findContinuesProblem(own: PlacedTask, source: PlacedTask): string | undefined {
  const { name } = source.task.metadata
  if (name === own.task.metadata.name)
    return 'a task cannot go on from itself: name another task that is COMPLETED, or leave it out'
  const [place, sourcePlace] = [placeOf(own), placeOf(source)]
  if (place !== sourcePlace)
    return `task ${name} belongs to ${sourcePlace}, and this one to ${place}: name a task of the same project, or leave it out`
  const state = stateOf(source.task)
  if (state !== 'COMPLETED')
    return `task ${name} is ${state}, and only accepted work is gone on from: accept it first, or ask for changes in it`
  return undefined
}

/** What a task works for, in words: its project, else its repository. */
export function placeOf({ task, story }: PlacedTask): string {
  const project = projectOf(task, story)
  return project === undefined ? `no project, repository ${task.spec.repositoryUrl ?? 'none'}` : `project ${project}`
}

/** The execution of a task whose session its work ended with. @param executions of the task, the oldest first */
export function findSessionHolder(task: Task, executions: readonly Execution[]): Execution | undefined {
  return executions.findLast((one) => isWork(one) && isOfTask(one, task) && one.status?.sessionId !== undefined)
}

/** A session of a task. */
export interface TaskSession {
  readonly task: string
  /** metadata.uid of the task. */
  readonly uid: string
  /** Where the task is now ({@link placeOf}): a session that was made for another place is not given. */
  readonly place: string
  /** The one that worked in it last. */
  readonly execution: string
  readonly id: string
}

/** A session that an execution begins with a copy of. */
export interface CopiedSession {
  readonly session: TaskSession
  readonly adapter: CopyingAdapter
}

/** What a task that goes on from another one begins with. */
export type Continuation =
  | { readonly kind: 'session'; readonly task: string; readonly sessionId: string }
  /** What the other has done, in words. @property why that is all */
  | { readonly kind: 'told'; readonly task: string; readonly why: string }

/** What is known of the task that is gone on from. */
export interface ContinuedWork {
  /** spec.continues */
  readonly name: string
  /** Absent: there is none of that name any more. */
  readonly source?: PlacedTask | undefined
  /** Of its last session. */
  readonly sessionId?: string | undefined
  /** Whether the file of that session is there, for a program with the adapter. */
  readonly isKept: boolean
}

/** Decides how a task begins that goes on from another one. Pure. */
export function decideContinuation(
  own: PlacedTask,
  { name, source, sessionId, isKept }: ContinuedWork,
  adapter: string,
): Continuation {
  const told = (why: string): Continuation => ({ kind: 'told', task: name, why })
  if (source === undefined) return told('it is not there any more')
  const problem = findContinuesProblem(own, source)
  if (problem !== undefined) return told(problem)
  if (!isCopyingAdapter(adapter)) return told(`programs with adapter ${adapter} do not go on in a copy of a session`)
  if (sessionId === undefined) return told('its work has no session')
  if (!isKept)
    return told(
      `no session of ${adapter} is kept of it: its agent was another one or worked for another place, or the session is gone or larger than ${formatSize(MAX_COPIED_SESSION_BYTES)}`,
    )
  return { kind: 'session', task: name, sessionId }
}
