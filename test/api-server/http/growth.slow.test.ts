import assert from 'node:assert/strict'
import { ROUTES } from '../../../core/rest/routes.ts'
import { aProject, aStory, aTask } from '../../helpers/build.ts'
import { type Growth, findGrowth } from '../../helpers/growth.ts'
import { fillEach } from '../../helpers/json-schema.ts'
import { type Rig, startRig } from '../rig.ts'

/** What the patterns of our fields repeat, begin with, or end at. */
const UNITS = ['x', ' ', '1s', '/']

/** A title that took quadratic time held the server for ten seconds. */
const OF_A_BODY: Growth = { sizes: [60_000], suspiciousMs: 500 }
/** A request line and its headers have 16 KiB. */
const OF_A_HEAD: Growth = { sizes: [2500], suspiciousMs: 200 }

/** Records in the state in which a route comes to look at its body. */
const IDS: Readonly<Record<string, string>> = { rejectTask: 'ready', answerTask: 'asks' }
const KINDS: readonly (readonly [string, string])[] = [
  ['/api/tasks/', 'task'],
  ['/api/stories/', 'story'],
  ['/api/epics/', 'epic'],
  ['/api/projects/', 'project'],
  ['/api/agents/', 'script'],
]

describe('the time for an answer over HTTP grows with the request alone:', function () {
  let api: Rig
  before(async () => {
    api = await startRig()
    const questions = { items: [{ text: 'Which?' }], askedAt: '2026-01-01T00:00:00Z' }
    await api.given(aTask({ name: 'task' }))
    await api.given(aTask({ name: 'ready', status: { state: 'READY' } }))
    await api.given(aTask({ name: 'asks', status: { state: 'BLOCKED', question: questions } }))
    await api.givenStory(aStory({ name: 'story' }))
    await api.givenProject(aProject({ name: 'project' }))
    assert.equal((await api.post('/api/epics', { id: 'epic', name: 'An epic' })).status, 201)
  })
  after(() => api.stop())

  const pathOf = (id: string, path: string): string =>
    path.replace('{id}', IDS[id] ?? KINDS.find(([start]) => path.startsWith(start))?.[1] ?? 'x')
  const send = (method: string, path: string, body?: unknown) => api.request(method, path, body)
  /** One after another: each would slow the others. */
  const demandLinear = async (place: string, growth: Growth, perform: (text: string) => Promise<unknown>) => {
    for (const unit of UNITS) {
      const found = await findGrowth((size) => perform(`${unit.repeat(size)}\u0001`), growth)
      assert.equal(found, undefined, `${place} with ${JSON.stringify(unit)}`)
    }
  }

  for (const { id, method, path, body } of ROUTES) {
    if (body?.kind !== 'json') continue
    const places = [...fillEach(body.schema, 'x')].map(({ place }) => place)
    it(`${method} ${path}: ${places.length} places of the body`, async () => {
      for (const [i, place] of places.entries())
        await demandLinear(`${id} ${place}`, OF_A_BODY, (text) =>
          send(method, pathOf(id, path), [...fillEach(body.schema, text)][i]?.value),
        )
    })
  }

  it('every parameter of every query', async () => {
    for (const { id, method, path, query } of ROUTES)
      for (const { place } of fillEach(query, 'x'))
        await demandLinear(`${id} ${place}`, OF_A_HEAD, (text) =>
          send(method, `${pathOf(id, path)}?${place.slice(1)}=${encodeURIComponent(text)}`),
        )
  })

  it('every name in a path', async () => {
    for (const { id, method, path } of ROUTES.filter((route) => route.path.includes('{')))
      await demandLinear(id, OF_A_HEAD, (text) => send(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(text))))
  })

  it('every header that is read', async () => {
    for (const header of ['Authorization', 'Accept', 'If-Match', 'If-None-Match', 'Range', 'Content-Type', 'Origin'])
      for (const unit of ['x', ' ', '"a",', 'a/b;q=1,', 'Bearer ', 'bytes=1-', '%', ':'])
        assert.equal(
          await findGrowth((size) => api.get('/api/tasks', { [header]: `Bearer ${unit.repeat(size)}!` }), {
            sizes: [500, 1500],
            suspiciousMs: 150,
          }),
          undefined,
          `${header} ${unit}`,
        )
  })
})
