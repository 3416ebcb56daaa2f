import assert from 'node:assert/strict'
import { QueryClient } from '@tanstack/react-query'
import type { Story } from '../../../core/rest/client/client.ts'
import type { LiveMessage } from '../../../core/rest/messages.ts'
import { createStore } from '../../../web/api/store.ts'
import { type Table, NOTHING, recordsOf } from '../../../web/api/table.ts'
import { aStoryRecord } from '../records.ts'

/** As it comes over the wire. */
const told = (id: string, story: Story): LiveMessage =>
  JSON.parse(JSON.stringify({ id, type: 'story_updated', at: '', story_id: story.id, story }))

describe('the store', () => {
  let queries: QueryClient
  beforeEach(() => (queries = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })))
  afterEach(() => queries.clear())

  const names = (): string[] =>
    recordsOf(queries.getQueryData<Table<Story>>(['stories']) ?? NOTHING).map(({ name }) => name)
  const read = (store: ReturnType<typeof createStore>, answer: Promise<readonly Story[]>) =>
    queries.fetchQuery({ queryKey: ['stories'], queryFn: () => store.readList('stories', () => answer) })

  it('keeps what is told while the first list is on its way', async () => {
    const store = createStore(queries)
    let answer: (stories: readonly Story[]) => void = () => undefined
    const list = read(store, new Promise((resolve) => (answer = resolve)))
    store.apply([told('r-5', aStoryRecord({ name: 'told' }))])
    assert.deepEqual(names(), [])
    answer([aStoryRecord({ name: 'listed' })])
    await list
    assert.deepEqual(names(), ['told'])
  })

  it('takes a list that was asked for after the last message', async () => {
    const store = createStore(queries)
    store.apply([told('r-5', aStoryRecord({ name: 'told' }))])
    await read(store, Promise.resolve([aStoryRecord({ name: 'listed' })]))
    assert.deepEqual(names(), ['listed'])
  })

  it('takes one record that was read anew, and no message from before it', async () => {
    const store = createStore(queries)
    await read(store, Promise.resolve([aStoryRecord({ name: 'one' })]))
    store.apply([told('r-6', aStoryRecord({ name: 'two' }))])
    await store.readOne('stories', () => Promise.resolve(aStoryRecord({ name: 'three' })))
    store.apply([told('r-6', aStoryRecord({ name: 'two' }))])
    assert.deepEqual(names(), ['three'])
    store.apply([told('r-7', aStoryRecord({ name: 'four' }))])
    assert.deepEqual(names(), ['four'])
  })

  it('believes a list that is read again after a restart that nothing was told of', async () => {
    const store = createStore(queries)
    await read(store, Promise.resolve([aStoryRecord({ id: 'gone' }), aStoryRecord({ name: 'before' })]))
    await read(store, Promise.resolve([aStoryRecord({ name: 'after' })]))
    assert.deepEqual(names(), ['after'])
  })

  it('has every list read again at resync', async () => {
    const store = createStore(queries)
    await read(store, Promise.resolve([]))
    store.apply([{ id: 's-1', type: 'resync', at: '' }])
    assert.equal(queries.getQueryState(['stories'])?.isInvalidated, true)
  })

  it('takes a write for done that cannot be read afterwards, and reads the list anew', async () => {
    const store = createStore(queries)
    await read(store, Promise.resolve([aStoryRecord()]))
    const lost = new TypeError('Failed to fetch')
    assert.equal(await store.readWritten('stories', () => Promise.reject(lost)), undefined)
    assert.equal(queries.getQueryState(['stories'])?.isInvalidated, true)
    await assert.rejects(
      store.readOne('stories', () => Promise.reject(lost)),
      lost,
    )
  })
})
