import type { Story, StoryEvent } from '../../core/crd/types.ts'
import { toStoryEventRecord } from '../../core/rest/map/story.ts'
import { makeStoryEvent } from '../../core/story/events.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ApiContext } from '../context.ts'
import { LATEST_FIRST, sortBy } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import { represent } from '../records/representation.ts'
import { createRecord, demandFound } from '../commands/writes.ts'
import type { Handlers } from './handler.ts'

/** What happened to stories, for their timelines. */
export function storyEventHandlers(context: ApiContext): Pick<Handlers, 'listStoryEvents' | 'createStoryEvent'> {
  const { client, caches, clock, makeId } = context
  const read = async (id: string): Promise<Story> => demandFound(await caches.stories.read(id), 'story')
  return {
    async listStoryEvents({ params, query }) {
      const story = await read(params.id)
      const events = caches.eventsOfStory(params.id).filter((event) => belongsTo(event, story))
      const page = paginate(sortBy(LATEST_FIRST, events), query, LATEST_FIRST)
      const headers = page.headers(`/api/stories/${params.id}/events`)
      return { status: 200, body: represent(page.items.map(toStoryEventRecord)), headers }
    },
    async createStoryEvent({ params, body, caller }) {
      const story = await read(params.id)
      const spec = { ...body, at: toTimestamp(clock.now()), by: caller.name }
      const event = makeStoryEvent(story, makeId('event'), spec)
      const created = await createRecord<StoryEvent>(client, caches.storyEvents, 'story event', event)
      return { status: 201, body: represent(toStoryEventRecord(created)) }
    },
  }
}

/** Events of a deleted story of the same name may still be waiting to be collected. */
function belongsTo({ metadata }: StoryEvent, story: Story): boolean {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Story')
  return owner === undefined || owner.uid === story.metadata.uid
}
