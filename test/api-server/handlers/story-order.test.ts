// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { STORIES } from '../../../kube/resources.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { aStory } from '../../helpers/build.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('the order of stories over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const give = async (ids: readonly string[], status: string): Promise<void> => {
    for (const id of ids) assert.equal((await api.post('/api/stories', { id, name: id, status })).status, 201)
  }
  const order = (ids: readonly unknown[]) => api.put('/api/stories/order', { ids })
  const idsIn = async (status: string): Promise<unknown[]> => {
    const list = itemsOf((await api.get('/api/stories')).body)
    return idsOf(list.filter((story) => at(story, 'status') === status))
  }

  it('stands as it was sent from one request on, with room between two, and says the places', async () => {
    await give(['a', 'b', 'c', 'd'], 'BACKLOG')
    const { status, body } = await order(['c', 'a', 'd', 'b'])
    assert.equal(status, 200)
    assert.deepEqual(body, [
      { id: 'c', priority: 1024 },
      { id: 'a', priority: 2048 },
      { id: 'd', priority: 3072 },
      { id: 'b', priority: 4096 },
    ])
    assert.deepEqual(await idsIn('BACKLOG'), ['c', 'a', 'd', 'b'])
    assert.equal((await api.put('/api/stories/b', { priority: 1500 })).status, 200)
    assert.deepEqual(await idsIn('BACKLOG'), ['c', 'b', 'a', 'd'])
  })

  it('writes only the stories that stand elsewhere than before', async () => {
    await give(['e', 'f', 'g'], 'PRIORITIZED')
    await order(['e', 'f', 'g'])
    const version = async (id: string) => (await api.get(`/api/stories/${id}`)).headers.get('etag')
    const before = [await version('e'), await version('f')]
    await order(['e', 'g', 'f'])
    assert.deepEqual([(await version('e')) === before[0], (await version('f')) === before[1]], [true, false])
  })

  it('takes stories of DISCOVERY and FRAMING as one column', async () => {
    await give(['h'], 'DISCOVERY')
    await give(['i'], 'FRAMING')
    assert.equal((await order(['i', 'h'])).status, 200)
  })

  it('refuses stories of several columns with 409, naming two, and stores nothing', async () => {
    await give(['j', 'k'], 'BACKLOG')
    await give(['l'], 'VALIDATING')
    const { status, body } = await order(['j', 'k', 'l'])
    assert.deepEqual(
      [status, textAt(body, 'error')],
      [409, 'only stories of one column have an order: story k is BACKLOG, story l is VALIDATING'],
    )
    assert.equal(at((await api.get('/api/stories/j')).body, 'priority'), 0)
  })

  it('refuses a story that does not exist with 404, naming it, and stores nothing', async () => {
    await give(['m'], 'BACKLOG')
    const { status, body } = await order(['m', 'nobody'])
    assert.deepEqual([status, textAt(body, 'error')], [404, 'story nobody not found'])
    assert.equal(at((await api.get('/api/stories/m')).body, 'priority'), 0)
  })

  for (const [what, body, message] of [
    ['an empty order', { ids: [] }, /ids: /],
    ['an id that is given twice', { ids: ['a', 'a'] }, /ids: /],
    ['what is no list', { ids: 'a' }, /ids: /],
    ['nothing', {}, /ids: /],
    ['another field', { ids: ['a'], status: 'BACKLOG' }, /status: unknown field/],
  ] as const)
    it(`refuses ${what} with 400, naming the field`, async () => {
      const refused = await api.put('/api/stories/order', body)
      assert.equal(refused.status, 400)
      assert.match(textAt(refused.body, 'error'), message)
    })

  it('ends in one of two orders that are sent at the same moment, and in no mixture', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `race-${n}`)
    await give(ids, 'IN_PROGRESS')
    const backwards = ids.toReversed()
    const answers = await Promise.all([order(ids), order(backwards)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const now = (await idsIn('IN_PROGRESS')).join()
    assert.ok([ids.join(), backwards.join()].includes(now), now)
  })

  it('keeps a change that somebody else makes to a story meanwhile', async () => {
    await give(['n', 'o'], 'VALIDATING')
    const [ordered, renamed] = await Promise.all([order(['o', 'n']), api.put('/api/stories/o', { name: 'Renamed' })])
    assert.deepEqual([ordered.status, renamed.status], [200, 200])
    const { body } = await api.get('/api/stories/o')
    assert.deepEqual([at(body, 'name'), at(body, 'priority')], ['Renamed', 1024])
  })

  it('keeps the path for itself: no story of that id can be created', async () => {
    const { status, body } = await api.post('/api/stories', { id: 'order', name: 'Order' })
    assert.equal(status, 400)
    assert.equal(textAt(body, 'error'), 'id: order is a path of the API, not a name for a story')
  })

  it('is of stories that kubectl made, too', async () => {
    await api.givenStory(aStory({ name: 'by-hand' }))
    await until('it is in its status', async () => (await api.get('/api/stories/by-hand')).status === 200)
    assert.equal((await order(['by-hand'])).status, 200)
    const stored = await api.client.get(STORIES, { namespace: api.namespace, name: 'by-hand' })
    assert.equal(stored.spec.priority, 1024)
  })
})
