import type { Story, StoryEvent, StoryEventSpec } from '../crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../names.ts'
import { withoutAbsent } from '../omit.ts'

/** A StoryEvent that goes when its story goes. */
export function makeStoryEvent({ metadata }: Story, name: string, spec: Omit<StoryEventSpec, 'storyId'>): StoryEvent {
  const { name: storyId, namespace, uid = '' } = metadata
  const owner = {
    apiVersion: API_VERSION,
    kind: 'Story',
    name: storyId,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  return {
    apiVersion: API_VERSION,
    kind: 'StoryEvent',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [LABELS.managedBy]: MANAGED_BY, [LABELS.story]: storyId },
      ownerReferences: [owner],
    },
    spec: { storyId, ...spec },
  }
}

/**
 * The event human_accepted of a story that somebody accepted, else undefined.
 *
 * A story is accepted at most once, and whoever finds it accepted may make the event: its name is derived from the
 * story's uid, so making it again is AlreadyExists and harmless.
 */
export function acceptanceEvent(story: Story): StoryEvent | undefined {
  const { accepted } = story.status ?? {}
  if (accepted === undefined) return undefined
  const { at, by } = accepted
  const name = `accepted-${story.metadata.uid ?? ''}`
  return makeStoryEvent(story, name, { kind: 'human_accepted', at, ...withoutAbsent({ by }) })
}
