import type { Story, StoryEvent } from '../../core/crd/types.ts'
import type { Caches } from '../cache/caches.ts'

/** What is told of a story, in no order. Events of a deleted story of the same name may still be waiting to be collected. */
export function eventsOf({ eventsOfStory }: Pick<Caches, 'eventsOfStory'>, story: Story): StoryEvent[] {
  const { name, uid } = story.metadata
  return eventsOfStory(name).filter(({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Story')
    return owner === undefined || owner.uid === uid
  })
}
