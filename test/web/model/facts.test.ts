import assert from 'node:assert/strict'
import type { Story } from '../../../core/rest/client/client.ts'
import { createFacts, nameFacts } from '../../../web/model/facts.ts'
import { aStoryRecord } from '../records.ts'

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
