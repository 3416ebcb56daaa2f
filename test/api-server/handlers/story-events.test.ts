import assert from 'node:assert/strict'
import type { ApiContext } from '../../../api-server/context.ts'
import { storyEventHandlers } from '../../../api-server/handlers/story-events.ts'
import { makeStoryEvent } from '../../../core/story/events.ts'
import { aStory } from '../../helpers/build.ts'

describe('the events of a story that has thousands', () => {
  const story = aStory({ name: 's' })
  const events = Array.from({ length: 1500 }, (_, i) =>
    makeStoryEvent(story, `event-${i}`, { kind: 'retro_captured', at: new Date(i * 1000).toISOString(), payload: {} }),
  )
  const caches = { stories: { read: () => Promise.resolve(story) }, eventsOfStory: () => events }
  const { listStoryEvents } = storyEventHandlers({ caches } as unknown as ApiContext)

  it('are the latest thousand and the way to the next, unless a limit is asked for', async () => {
    const answer = await listStoryEvents({ params: { id: 's' }, query: {} } as never)
    const read = ({ json }: { json: string | Buffer }) => JSON.parse(json.toString()) as { readonly id: string }[]
    assert.deepEqual([read(answer.body).length, read(answer.body)[0]?.id], [1000, 'event-1499'])
    assert.match(answer.headers['Link'] ?? '', /^<\/api\/stories\/s\/events\?limit=1000&cursor=.*rel="next"$/)
    const few = await listStoryEvents({ params: { id: 's' }, query: { limit: 3 } } as never)
    assert.equal(read(few.body).length, 3)
  })
})
