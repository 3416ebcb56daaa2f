import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Story } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import { attentions, isAgentWaiting, isStoryWaiting, isTaskWaiting } from '../../../web/model/attention.ts'
import { createFacts, nameFacts } from '../../../web/model/facts.ts'
import { anAgentRecord, aStoryRecord, aTaskRecord } from '../records.ts'

describe('facts of records', () => {
  const [a, b] = [aStoryRecord({ id: 'a', name: 'A' }), aStoryRecord({ id: 'b', name: 'B' })]

  it('stay the same list while none of them changes, whatever else does', () => {
    const collect = createFacts((story: Story) => nameFacts(story))
    const before = collect([a, b])
    assert.equal(collect([a, { ...b, priority: 7, status: 'DONE' }]), before)
  })

  it('are a new list when one changes, comes or goes, or stands elsewhere', () => {
    const collect = createFacts((story: Story) => nameFacts(story))
    collect([a, b])
    assert.deepEqual(collect([a, { ...b, name: 'C' }])[1], { id: 'b', name: 'C' })
    assert.deepEqual(collect([a]), [{ id: 'a', name: 'A' }])
    assert.deepEqual(collect([b, a])[0], { id: 'b', name: 'B' })
  })
})

describe('the number of things that wait for a person', () => {
  it('is that of the rows of the inbox', () => {
    const tasks = fc.array(
      fc.record({ state: fc.constantFrom(...TASK_STATE_VALUES), isAsked: fc.boolean(), isRetried: fc.boolean() }),
    )
    const stories = fc.array(fc.constantFrom(...STORY_STATUS_VALUES))
    fc.assert(
      fc.property(tasks, stories, fc.boolean(), (states, statuses, isDrained) => {
        const idle = anAgentRecord()
        const all = {
          tasks: states.map(({ state, isAsked, isRetried }, n) =>
            aTaskRecord({
              id: `task-${n}`,
              state,
              ...(isAsked ? { question: 'Which?' } : {}),
              ...(isRetried ? { goes_on: { at: '2026-01-02T15:00:00Z' } } : {}),
            }),
          ),
          stories: statuses.map((status, n) => aStoryRecord({ id: `story-${n}`, status })),
          agents: [isDrained ? anAgentRecord({ status: { ...idle.status, state: 'drained' } }) : idle],
        }
        const counted =
          all.tasks.filter(isTaskWaiting).length +
          all.stories.filter(isStoryWaiting).length +
          all.agents.filter(isAgentWaiting).length
        assert.equal(counted, attentions(all).length)
      }),
    )
  })
})
