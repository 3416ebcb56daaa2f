import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { bulkWords } from '../../../web/model/bulk.ts'
import { formatViews, parseViews, withoutView, withView, withViewRenamed } from '../../../web/model/saved-views.ts'

describe('saved views', () => {
  const views = [
    { name: 'failed', query: 'state=FAILED' },
    { name: 'Mine', query: 'waiting=true' },
  ]

  it('stand by their names, each name once', () => {
    assert.deepEqual(
      withView(views, { name: 'all', query: '' }).map(({ name }) => name),
      ['all', 'failed', 'Mine'],
    )
    assert.deepEqual(withView(views, { name: 'Mine', query: 'q=1' })[1]?.query, 'q=1')
  })

  it('are renamed and deleted', () => {
    assert.deepEqual(withViewRenamed(views, 'Mine', 'failed'), [{ name: 'failed', query: 'waiting=true' }])
    assert.deepEqual(withViewRenamed(views, 'unknown', 'x'), views)
    assert.deepEqual(withoutView(views, 'Mine'), [views[0]])
  })

  it('are read as they were stored, and whatever else stands there is nothing', () => {
    const view = fc.record({ name: fc.string({ minLength: 1 }), query: fc.string() }, { noNullPrototype: true })
    fc.assert(fc.property(fc.array(view), (all) => assert.deepEqual(parseViews(formatViews(all)), all)))
    for (const text of [null, '{', '{}', '[1, null, {"name": ""}]']) assert.deepEqual(parseViews(text), [])
  })
})

describe('a decision about many records', () => {
  it('tells how far it is, and then how many were done and refused', () => {
    const done = { id: 'a', name: 'A', isDone: true, message: '' }
    const refused = { id: 'b', name: 'B', isDone: false, message: 'no' }
    assert.equal(bulkWords({ label: 'Run', total: 3, outcomes: [done] }), 'Run: 1 of 3…')
    assert.equal(bulkWords({ label: 'Run', total: 2, outcomes: [done, refused] }), 'Run: 1 done, 1 refused')
  })
})
