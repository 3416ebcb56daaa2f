import type { Story, Task } from '../../core/rest/client/client.ts'
import { api } from './client.ts'
import { writeAsSeen } from './decisions.ts'
import { queryClient, readWritten, useRecord } from './queries.ts'

/** Whether a task that is rejected can run again: a DONE story takes no more work (specification §4.18). */
export function useCanRunAgain({ story_id }: Pick<Task, 'story_id'>): boolean {
  const { data: story } = useRecord('stories', story_id ?? '')
  return story?.status !== 'DONE'
}

/**
 * Stores a story's priority and nothing else of it, then reads the story, so that the page shows what is stored without
 * waiting for the message about it.
 *
 * @throws ApiFailure
 */
export async function updatePriority(id: string, priority: number): Promise<void> {
  await api.updateStory({ params: { id }, body: { priority } })
  await readWritten('stories', id)
}

/** Stores the order of a column in one request, then reads the stories. @throws ApiFailure */
export async function storeOrder(ids: readonly string[]): Promise<void> {
  await api.orderStories({ body: { ids: [...ids] } })
  await rereadStories()
}

/** Reads all stories anew, so that the page shows what is stored. */
export function rereadStories(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['stories'] })
}

/** Queues the tasks of a story that wait for being run; gives the server's words. @throws ApiFailure */
export async function runStory(seen: Story): Promise<string> {
  const { message } = await writeStory(seen, ['status'], (target) => api.runStory(target))
  await readWritten('stories', seen.id)
  return message
}

interface Target {
  readonly params: { readonly id: string }
  readonly ifMatch: string | undefined
}

/** Writes to a story of which these fields are as the person saw them. @throws ChangedMeanwhile @throws ApiFailure */
export function writeStory<R>(
  seen: Story,
  fields: readonly (keyof Story)[],
  write: (target: Target) => Promise<R>,
): Promise<R> {
  return writeAsSeen('stories', seen, (ifMatch) => write({ params: { id: seen.id }, ifMatch }), fields)
}
