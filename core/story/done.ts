import type { Story } from '../crd/types.ts'
import { WAITING } from '../sentences/waiting.ts'

/**
 * Why no task is added to a story, or set to work in it, any more; undefined while it takes tasks.
 *
 * Source: specification §4.18.
 */
export function findDoneRefusal(story: Pick<Story, 'status'> | undefined): string | undefined {
  return story?.status?.status === 'DONE' ? WAITING.storyDone : undefined
}
