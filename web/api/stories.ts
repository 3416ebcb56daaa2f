import { api } from './client.ts'
import { store } from './queries.ts'

/**
 * Stores a story's priority and nothing else of it, then reads the story, so that the page shows what is stored without
 * waiting for the message about it.
 *
 * @throws ApiFailure
 */
export async function updatePriority(id: string, priority: number): Promise<void> {
  await api.updateStory({ params: { id }, body: { priority } })
  await store.readOne('stories', () => api.getStory({ params: { id } }))
}
