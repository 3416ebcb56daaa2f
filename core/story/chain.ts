import type { Story, Task } from '../crd/types.ts'
import { ANNOTATIONS } from '../names.ts'

/** The task that was added to a story's chain last, as the story notes it; absent while none was. */
export function notedEnd({ metadata }: Story): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.chainEnd]
}

/** The story with another end of its chain. */
export function noteEnd(story: Story, task: string): Story {
  const annotations = { ...story.metadata.annotations, [ANNOTATIONS.chainEnd]: task }
  return { ...story, metadata: { ...story.metadata, annotations } }
}

/**
 * The tasks that the next one of a chain has to wait for: those behind the noted end, or that end itself, that no
 * other task waits for. Without an end that still exists, all tasks of the story count.
 *
 * What stands beside the chain is left alone: it may be a task that another server is about to move behind the end.
 *
 * @param tasks of the story; subtasks among them belong to their parent and are no part of the chain
 */
export function chainEnds(tasks: readonly Task[], end: string | undefined): string[] {
  const links = tasks.filter(({ spec }) => spec.parentTaskId === undefined)
  const start = links.filter(({ metadata }) => metadata.name === end)
  const chain = start.length === 0 ? links : withFollowers(start, links)
  const awaited = new Set(chain.flatMap(({ spec }) => spec.dependsOn ?? []))
  return chain.map(({ metadata }) => metadata.name).filter((name) => !awaited.has(name))
}

/** The given tasks and all that wait for them, directly or not. */
function withFollowers(start: readonly Task[], tasks: readonly Task[]): Task[] {
  const found = new Map(start.map((task) => [task.metadata.name, task]))
  for (const name of found.keys()) {
    for (const task of tasks) if (task.spec.dependsOn?.includes(name) === true) found.set(task.metadata.name, task)
  }
  return [...found.values()]
}

/** Dependencies of a task that moves to another place in the chain: what its caller asked for stays. */
export function moveLink(dependsOn: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  return [...new Set([...dependsOn.filter((name) => !from.includes(name)), ...to])]
}
