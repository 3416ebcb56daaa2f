import assert from 'node:assert/strict'
import { type ApiServer, startApiServer } from '../../../api-server/main.ts'
import { SUBSCRIPTIONS_SECRET } from '../../../api-server/push/subscriptions.ts'
import type { PushSettings } from '../../../api-server/push/push.ts'
import { addMs, toTimestamp } from '../../../core/time.ts'
import { SECRETS, TASKS } from '../../../kube/resources.ts'
import { aTask } from '../../helpers/build.ts'
import { type Browser, type PushService, aBrowser, startPushService } from '../../helpers/push-service.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

describe('a push notification', () => {
  let service: PushService
  let api: Rig
  let others: ApiServer[]

  beforeEach(async () => {
    service = await startPushService()
    others = []
  })

  afterEach(async () => {
    // First, so that no server waits for an endpoint that hangs.
    await service.stop()
    for (const server of others) await server.stop()
    await api.stop()
  })

  /** Another server on the same control plane. */
  async function startAnother(push: PushSettings = {}): Promise<ApiServer> {
    const server = await startApiServer({ ...api.options, push: { allowPrivate: true, ...push } })
    others.push(server)
    return server
  }
  async function subscribe(path: string): Promise<Browser> {
    const browser = aBrowser(`${service.url}${path}`)
    assert.equal((await api.post('/api/push/subscribe', browser.subscription)).status, 201)
    return browser
  }
  const finish = async (name: string): Promise<void> => {
    await api.given(aTask({ name, status: { state: 'RUNNING' } }))
    await api.setStatus(TASKS, name, { state: 'READY', finishedAt: toTimestamp(new Date()) })
  }
  /** Tasks told at `path`, in order, once `last` is among them. */
  async function toldUntil(browser: Browser, path: string, last: string): Promise<string[]> {
    const taskOf = (payload: unknown): string => (payload as { task_id: string }).task_id
    const told = (): string[] => service.at(path).map(({ body }) => taskOf(browser.decrypt(body)))
    await until(`${last} is told at ${path}`, () => told().includes(last))
    return told()
  }

  for (const isOnlyServer of [false, true]) {
    const who = isOnlyServer ? 'two servers that both believe to lead' : 'two servers that elect one'
    it(`is sent once by ${who}`, async () => {
      api = await startRig({ push: { allowPrivate: true, isOnlyServer } })
      await startAnother({ isOnlyServer })
      const browser = await subscribe('/once')
      for (const name of ['a', 'b', 'c']) await finish(name)
      await toldUntil(browser, '/once', 'a')
      await toldUntil(browser, '/once', 'b')
      await toldUntil(browser, '/once', 'c')
      // Another one, so that whatever was still to come has come.
      await finish('d')
      assert.deepEqual((await toldUntil(browser, '/once', 'd')).toSorted(), ['a', 'b', 'c', 'd'])
    })
  }

  it('is not sent again by the next server, which tells what came about in between', async () => {
    api = await startRig({ push: { allowPrivate: true } })
    const browser = await subscribe('/next')
    await finish('before')
    await toldUntil(browser, '/next', 'before')
    await api.server.stop()
    await api.client.create(TASKS, aTask({ name: 'between', metadata: { namespace: api.namespace } }))
    await api.setStatus(TASKS, 'between', { state: 'FAILED', finishedAt: toTimestamp(new Date()) })
    await startAnother()
    assert.deepEqual(await toldUntil(browser, '/next', 'between'), ['before', 'between'])
  })

  it('of yesterday, or from before a browser subscribed, is not sent by a server that starts', async () => {
    api = await startRig({ push: { allowPrivate: true } })
    const [early, late] = [await subscribe('/early'), await subscribe('/late')]
    await api.server.stop()
    const now = new Date()
    await backdate('/early', addMs(now, -48 * 3_600_000))
    await backdate('/late', addMs(now, -60_000))
    const ages = { old: 25 * 3_600_000, recent: 3_600_000, new: 0 }
    for (const [name, ageMs] of Object.entries(ages)) {
      await api.client.create(TASKS, aTask({ name, metadata: { namespace: api.namespace } }))
      await api.setStatus(TASKS, name, { state: 'READY', finishedAt: toTimestamp(addMs(now, -ageMs)) })
    }
    await startAnother()
    await toldUntil(early, '/early', 'recent')
    await toldUntil(late, '/late', 'new')
    // Another one, so that whatever was still to come has come.
    await api.client.create(TASKS, aTask({ name: 'last', metadata: { namespace: api.namespace } }))
    await api.setStatus(TASKS, 'last', { state: 'READY', finishedAt: toTimestamp(new Date()) })
    assert.deepEqual((await toldUntil(early, '/early', 'last')).toSorted(), ['last', 'new', 'recent'])
    assert.deepEqual((await toldUntil(late, '/late', 'last')).toSorted(), ['last', 'new'])
  })

  it('to an endpoint that answers 410 is the last one: the subscription is removed', async () => {
    api = await startRig({ push: { allowPrivate: true, isOnlyServer: true } })
    service.answer = (path) => ({ status: path === '/ended' ? 410 : 201 })
    await subscribe('/ended')
    const browser = await subscribe('/stays')
    await finish('first')
    const key = { namespace: api.namespace, name: SUBSCRIPTIONS_SECRET }
    const isRemoved = async () => Object.keys((await api.client.get(SECRETS, key)).data ?? {}).length === 1
    await until('the subscription is removed', isRemoved)
    await finish('second')
    await toldUntil(browser, '/stays', 'second')
    assert.equal(service.at('/ended').length, 1)
  })

  it('reaches others while one endpoint hangs, and comes again to one that asks for it', async () => {
    api = await startRig({ push: { allowPrivate: true, isOnlyServer: true } })
    service.answer = (path, nth) => {
      if (path === '/hangs') return 'hang'
      return path === '/busy' && nth === 1 ? { status: 429, headers: { 'Retry-After': '1' } } : { status: 201 }
    }
    await subscribe('/hangs')
    const [busy, quick] = [await subscribe('/busy'), await subscribe('/quick')]
    await finish('first')
    await toldUntil(quick, '/quick', 'first')
    await finish('second')
    assert.deepEqual(await toldUntil(quick, '/quick', 'second'), ['first', 'second'])
    await until('the busy one is asked again', () => service.at('/busy').length >= 2)
    await toldUntil(busy, '/busy', 'second')
  })

  async function backdate(path: string, createdAt: Date): Promise<void> {
    const secret = await api.client.get(SECRETS, { namespace: api.namespace, name: SUBSCRIPTIONS_SECRET })
    const entries = Object.entries(secret.data ?? {}).map(([id, text]): [string, string] => {
      const entry = JSON.parse(Buffer.from(text, 'base64').toString()) as { endpoint: string }
      if (!entry.endpoint.endsWith(path)) return [id, text]
      return [id, Buffer.from(JSON.stringify({ ...entry, createdAt: toTimestamp(createdAt) })).toString('base64')]
    })
    await api.client.replace(SECRETS, { ...secret, data: Object.fromEntries(entries) })
  }
})
