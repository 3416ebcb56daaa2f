import assert from 'node:assert/strict'
import type { TaskStatus } from '../../../core/crd/types.ts'
import { toTimestamp } from '../../../core/time.ts'
import { TASKS } from '../../../kube/resources.ts'
import { aTask, text } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Browser, type PushService, aBrowser, startPushService, verifyVapid } from '../../helpers/push-service.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

const finishedAt = toTimestamp(new Date())
const question = { items: [{ text: text('Which database?') }], askedAt: finishedAt }

describe('push notifications', () => {
  let service: PushService
  let api: Rig

  before(async () => {
    service = await startPushService('https')
    const publicUrl = 'https://slipway.example/app/'
    api = await startRig({ publicUrl, push: { allowPrivate: true, ca: service.ca, isOnlyServer: true } })
  })

  after(async () => {
    await api.stop()
    await service.stop()
  })

  async function subscribe(path: string) {
    const browser = aBrowser(`${service.url}${path}`)
    const { status } = await api.post('/api/push/subscribe', browser.subscription)
    assert.equal(status, 201)
    return browser
  }

  /** A task that moves to `status` while the server watches. */
  async function moves(name: string, status: TaskStatus): Promise<void> {
    const from = status.state === 'COMPLETED' ? 'READY' : 'RUNNING'
    await api.given(aTask({ name, spec: { title: `Title of ${name}` }, status: { state: from } }))
    await api.setStatus(TASKS, name, status)
  }

  async function arrives(path: string, count = 1) {
    await until(`${count} messages at ${path}`, () => service.at(path).length >= count)
    return service.at(path)
  }

  async function arrivesAs(browser: Browser, path: string, isMeant: (payload: Record<string, unknown>) => boolean) {
    const find = () => service.at(path).find(({ body }) => isMeant(browser.decrypt(body) as Record<string, unknown>))
    await until(`the message meant at ${path}`, () => find() !== undefined)
    const found = find()
    assert.ok(found)
    return found
  }

  const outcomes: readonly [TaskStatus, urgency: string, header: string, title: string, body: string][] = [
    [{ state: 'BLOCKED', question }, 'urgent', 'high', 'Question', 'Which database?'],
    [
      { state: 'FAILED', finishedAt, error: { category: 'failed', message: text('exit 1') } },
      'high',
      'high',
      'Failed',
      'exit 1',
    ],
    [{ state: 'TIMED_OUT', finishedAt }, 'high', 'high', 'Timed out', ''],
    [
      { state: 'BUDGET_EXCEEDED', finishedAt, error: { category: 'quota', message: text('resets at 3 pm') } },
      'high',
      'high',
      'Usage limit',
      'resets at 3 pm',
    ],
    [{ state: 'READY', finishedAt, summary: text('All done') }, 'low', 'low', 'Ready for review', 'All done'],
    [{ state: 'COMPLETED', finishedAt }, 'low', 'low', 'Accepted', ''],
  ]
  for (const [status, urgency, header, title, body] of outcomes) {
    it(`tell a browser of a ${String(status.state)} task with urgency ${urgency}, encrypted for it alone`, async () => {
      const name = `told-${String(status.state).toLowerCase().replace('_', '-')}`
      const browser = await subscribe(`/${name}`)
      await moves(name, status)
      const message = await arrivesAs(browser, `/${name}`, ({ state }) => state === status.state)
      assert.equal(message.headers['urgency'], header)
      assert.equal(message.headers['content-encoding'], 'aes128gcm')
      assert.match(String(message.headers['topic']), /^[\w-]{1,32}$/)
      assert.ok(Number(message.headers['ttl']) > 0)
      const payload = browser.decrypt(message.body) as Record<string, unknown>
      const { actions } = (await api.get(`/api/tasks/${name}`)).body as { actions: string[] }
      assert.deepEqual(payload, {
        title: `${title}: Title of ${name}`,
        body,
        task_id: name,
        state: status.state,
        urgency,
        url: `https://slipway.example/app/tasks/${name}`,
        tag: `task-${name}`,
        actions,
      })
      await api.request('DELETE', '/api/push/subscribe', { endpoint: browser.subscription.endpoint })
    })
  }

  it('are signed with the key that browsers are given, for the push service they go to, for less than a day', async () => {
    await subscribe('/signed')
    await moves('signed', { state: 'READY', finishedAt })
    const [message] = await arrives('/signed')
    assert.ok(message)
    const { key, claims } = verifyVapid(message.headers)
    assert.equal(key, at((await api.get('/api/push/vapid-key')).body, 'public_key'))
    const lastsSeconds = Number(claims['exp']) - Date.now() / 1000
    assert.ok(lastsSeconds > 60 && lastsSeconds < 24 * 3600, `lasts ${lastsSeconds} s`)
    assert.deepEqual({ ...claims, exp: 0 }, { aud: service.url, sub: 'https://slipway.example/app/', exp: 0 })
  })

  it('are sent for neither a cancelled task nor one that goes on by itself', async () => {
    const resumeAfter = toTimestamp(new Date(Date.now() + 60_000))
    const browser = await subscribe('/quiet')
    await moves('cancelled', { state: 'CANCELLED', finishedAt })
    await moves('again', { state: 'FAILED', finishedAt, resumeAfter })
    await moves('waits', { state: 'BLOCKED', finishedAt })
    await moves('last', { state: 'READY', finishedAt })
    await arrivesAs(browser, '/quiet', (payload) => payload['task_id'] === 'last')
    assert.equal(service.at('/quiet').length, 1)
  })

  it('go to all browsers, and to one that subscribed again with new keys by these', async () => {
    await subscribe('/renewed')
    const [renewed, other] = [await subscribe('/renewed'), await subscribe('/other')]
    await moves('both', { state: 'READY', finishedAt })
    for (const [path, browser] of [
      ['/renewed', renewed],
      ['/other', other],
    ] as const) {
      const [message] = await arrives(path)
      assert.ok(message)
      assert.equal(at(browser.decrypt(message.body) as never, 'task_id'), 'both')
      assert.equal(service.at(path).length, 1)
    }
  })

  it('no longer go to a browser that unsubscribed', async () => {
    const browser = await subscribe('/left')
    await subscribe('/stayed')
    const { status } = await api.request('DELETE', '/api/push/subscribe', { endpoint: browser.subscription.endpoint })
    assert.equal(status, 204)
    await moves('after-leaving', { state: 'READY', finishedAt })
    await arrives('/stayed')
    assert.deepEqual(service.at('/left'), [])
  })
})
