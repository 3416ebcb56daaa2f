import type { Agent, Story, Task } from '../crd/types.ts'
import { type TaskSurroundings, stateOf } from './decide.ts'
import { type TaskIndex, failedDependencies } from './dependencies.ts'
import { findNextState } from './transitions.ts'

/** Where surroundings are read from: caches, or lists in memory. */
export interface SurroundingsSource {
  readonly tasks: TaskIndex
  findStory(name: string): Story | undefined
  findAgent(name: string): Agent | undefined
  /** Whether an accept needs somebody else than the author; absent: it does not. */
  readonly fourEyes?: boolean
}

/**
 * Reads what a decision about a task depends on.
 *
 * @param agent the one that the decision names, where that exists
 */
export function readSurroundings(task: Task, source: SurroundingsSource, agent?: Agent): TaskSurroundings {
  const storyOf = ({ spec }: Task): Story | undefined =>
    spec.storyId === undefined ? undefined : source.findStory(spec.storyId)
  const isRunnable = findNextState(stateOf(task), 'run') !== undefined
  const ran = task.status?.agent?.type
  const failed = isRunnable ? failedDependencies(task, source.tasks) : []
  return {
    story: storyOf(task),
    agent,
    ownAgent: ran === undefined ? undefined : source.findAgent(ran),
    fourEyes: source.fourEyes,
    failedDependencies: failed.map((dependency) => ({ task: dependency, story: storyOf(dependency) })),
  }
}
