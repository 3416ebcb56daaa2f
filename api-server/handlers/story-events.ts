import type { Story, StoryEvent } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { toStoryEventRecord } from '../../core/rest/map/story.ts'
import { makeStoryEvent } from '../../core/story/events.ts'
import { findVerdictProblem } from '../../core/story/opinions.ts'
import { toMicroTimestamp } from '../../core/time.ts'
import type { ApiContext } from '../context.ts'
import { LATEST_FIRST, sortBy } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import { eventsOf } from '../records/story-view.ts'
import { represent } from '../records/representation.ts'
import { createRecord, requireFound } from '../commands/writes.ts'
import type { Handlers } from './handler.ts'

/** For who asks without a limit: a story that is evaluated again and again has thousands. */
const MAX_EVENTS = 1000

/** What happened to stories, for their timelines. */
export function storyEventHandlers(context: ApiContext) {
  const { client, caches, clock, makeId } = context
  const read = async (id: string): Promise<Story> => requireFound(await caches.stories.read(id), 'story')
  return {
    async listStoryEvents({ params, query }) {
      const story = await read(params.id)
      const bounded = { limit: MAX_EVENTS, ...query }
      const page = paginate(sortBy(LATEST_FIRST, eventsOf(caches, story)), bounded, LATEST_FIRST)
      const headers = page.headers(`/api/stories/${params.id}/events`)
      return { status: 200, body: represent(page.items.map(toStoryEventRecord)), headers }
    },
    async createStoryEvent({ params, body, caller }) {
      const story = await read(params.id)
      const fault = findVerdictProblem(story, body)
      if (fault !== undefined) throw apiError('invalid_request', fault)
      const spec = { ...body, at: toMicroTimestamp(clock.now()), by: caller.name }
      const event = makeStoryEvent(story, makeId('event'), spec)
      const created = await createRecord<StoryEvent>({ client, clock }, caches.storyEvents, 'story event', event)
      return { status: 201, body: represent(toStoryEventRecord(created)) }
    },
  } satisfies Partial<Handlers>
}
