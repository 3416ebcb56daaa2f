/** Ids of what people make in the browser: of its name, as the CLI makes them (specification §2.3). */
import { ApiFailure } from '../../core/rest/client/call.ts'
import { readableId, slugOf } from '../../core/ids.ts'

/** An id that hardly anything else has: for tasks and stories, whose branches may outlive them. */
export function newId(kind: 'task' | 'story' | 'project' | 'epic', name: string): string {
  return readableId(name, kind, crypto.getRandomValues(new Uint8Array(5)))
}

/** Creates a record under the slug of its name; where another has that, under one with letters behind. */
export async function createNamed<R>(
  kind: 'project' | 'epic',
  name: string,
  create: (id: string) => Promise<R>,
): Promise<R> {
  try {
    return await create(slugOf(name, kind))
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 409) return create(newId(kind, name))
    throw error
  }
}
