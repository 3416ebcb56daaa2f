// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { EPICS } from '../../../kube/resources.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { connectLive } from '../live/live-client.ts'
import { type Rig, idsOf, startRig } from '../rig.ts'
import { text } from '../../helpers/build.ts'

describe('epics over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('creates an epic with nothing but a name, and reads it', async () => {
    const created = await api.post('/api/epics', { name: 'Payments' })
    const id = textAt(created.body, 'id')
    assert.deepEqual([created.status, created.headers.get('location')], [201, `/api/epics/${id}`])
    assert.deepEqual([at(created.body, 'priority'), at(created.body, 'stories')], [0, { total: 0, done: 0 }])
    const read = await api.get(`/api/epics/${id}`)
    assert.deepEqual([read.status, read.body], [200, created.body])
    assert.equal(read.headers.get('etag'), created.headers.get('etag'))
  })

  it('changes an epic by merging, clears with null, and takes a whole record back', async () => {
    await api.post('/api/epics', { id: 'edit', name: 'Edit', description: 'long', color: '#2f6fde' })
    const { status, body } = await api.put('/api/epics/edit', { description: null, priority: 4 })
    assert.deepEqual(
      [status, at(body, 'description'), at(body, 'priority'), at(body, 'color')],
      [200, undefined, 4, '#2f6fde'],
    )
    assert.equal((await api.put('/api/epics/edit', body)).status, 200)
  })

  for (const { change, because } of [
    { change: { color: 'red' }, because: /color: .*red/ },
    { change: { name: '' }, because: /name/ },
    { change: { stories: { total: 9, done: 9 } }, because: /stories is read-only/ },
    { change: { colour: '#000000' }, because: /colour: unknown field/ },
  ]) {
    it(`refuses ${JSON.stringify(change)} with 400 saying why`, async () => {
      await api.post('/api/epics', { id: 'strict', name: 'Strict' })
      const answer = await api.put('/api/epics/strict', change)
      assert.equal(answer.status, 400)
      assert.match(textAt(answer.body, 'error'), because)
    })
  }

  it('refuses an edit of an outdated version with 412', async () => {
    const { headers } = await api.post('/api/epics', { id: 'race', name: 'Race' })
    const first = { 'If-Match': headers.get('etag') ?? '' }
    assert.equal((await api.put('/api/epics/race', { priority: 1 }, first)).status, 200)
    assert.equal((await api.put('/api/epics/race', { priority: 2 }, first)).status, 412)
  })

  it('keeps its entity tag, and is not told live, when the operator writes its condition', async () => {
    const { headers } = await api.post('/api/epics', { id: 'tagged', name: 'Tagged' })
    const live = await connectLive(api.url)
    const condition = { type: 'Ready', status: 'True', reason: 'Tracked', message: text('m') } as const
    const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }]
    await api.setStatus(EPICS, 'tagged', { conditions })
    await api.post('/api/epics', { id: 'later', name: 'Later' })
    await until('what came later is told', () => live.messages.some(({ epic_id }) => epic_id === 'later'))
    await live.close()
    assert.deepEqual(
      live.messages.filter(({ epic_id }) => epic_id === 'tagged'),
      [],
    )
    const answer = await api.put('/api/epics/tagged', { priority: 1 }, { 'If-Match': headers.get('etag') ?? '' })
    assert.equal(answer.status, 200)
  })

  it('lists its stories by status, then priority, counts them, and is not deleted while it has any', async () => {
    await api.post('/api/epics', { id: 'full', name: 'Full' })
    for (const [id, status, priority] of [
      ['s-late', 'BACKLOG', 9],
      ['s-soon', 'BACKLOG', 1],
      ['s-idea', 'DISCOVERY', 50],
    ] as const)
      await api.post('/api/stories', { id, name: id, status, priority, epic_id: 'full' })
    await api.post('/api/stories', { id: 's-other', name: 'Other' })
    assert.deepEqual(idsOf((await api.get('/api/epics/full/stories')).body), ['s-idea', 's-soon', 's-late'])
    const page = await api.get('/api/epics/full/stories?limit=1')
    assert.deepEqual(idsOf(page.body), ['s-idea'])
    assert.match(page.headers.get('link') ?? '', /<\/api\/epics\/full\/stories\?.*cursor=.*>; rel="next"/)
    assert.deepEqual(at((await api.get('/api/epics/full')).body, 'stories'), { total: 3, done: 0 })
    const refused = await api.delete('/api/epics/full')
    assert.equal(refused.status, 409)
    for (const id of ['s-late', 's-soon', 's-idea']) assert.match(textAt(refused.body, 'error'), new RegExp(id))
    for (const id of ['s-late', 's-soon', 's-idea']) await api.put(`/api/stories/${id}`, { epic_id: null })
    assert.equal((await api.delete('/api/epics/full')).status, 204)
    assert.equal((await api.get('/api/epics/full')).status, 404)
  })

  it('answers 404 for an epic that nobody has made, and 409 for an id that is taken', async () => {
    for (const path of ['', '/stories', '/manifest']) {
      const { status, body } = await api.get(`/api/epics/nothing${path}`)
      assert.deepEqual([status, at(body, 'error')], [404, 'epic not found'])
    }
    await api.post('/api/epics', { id: 'taken', name: 'First' })
    const again = await api.post('/api/epics', { id: 'taken', name: 'Second' })
    assert.deepEqual([again.status, at(again.body, 'error')], [409, 'epic taken already exists'])
  })

  it('prints its manifest', async () => {
    await api.post('/api/epics', { id: 'printed', name: 'Printed' })
    const { status, text } = await api.get('/api/epics/printed/manifest')
    assert.equal(status, 200)
    assert.match(text, /^kind: Epic$/m)
  })
})
