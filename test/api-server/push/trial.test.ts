import assert from 'node:assert/strict'
import { SUBSCRIPTIONS_SECRET } from '../../../api-server/push/subscriptions.ts'
import { SECRETS } from '../../../kube/resources.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type PushService, aBrowser, startPushService } from '../../helpers/push-service.ts'
import { type Rig, startRig } from '../rig.ts'

describe('POST /api/push/test', () => {
  let service: PushService
  let api: Rig
  before(async () => {
    service = await startPushService('https')
    api = await startRig({ push: { allowPrivate: true, ca: service.ca, isOnlyServer: true } })
  })
  after(async () => {
    await api.stop()
    await service.stop()
  })

  const subscribe = async (path: string) => {
    const browser = aBrowser(`${service.url}${path}`)
    assert.equal((await api.post('/api/push/subscribe', browser.subscription)).status, 201)
    return browser
  }
  const test = (endpoint: string) => api.post('/api/push/test', { endpoint })

  it('sends a notification that leads to the settings, and says who took it', async () => {
    const browser = await subscribe('/works')
    const { status, body } = await test(browser.subscription.endpoint)
    assert.equal(status, 200)
    assert.deepEqual(body, { delivered: true, message: `${new URL(service.url).host} took the notification` })
    const [message] = service.at('/works')
    assert.ok(message)
    assert.deepEqual(browser.decrypt(message.body), {
      title: 'Slipway can notify you here',
      body: 'This is the test that you asked for.',
      urgency: 'high',
      url: '/settings',
      tag: 'slipway-test',
      actions: [],
    })
  })

  it('sends nothing to an address that is not subscribed', async () => {
    const { status, body } = await test(`${service.url}/stranger`)
    assert.deepEqual([status, body], [404, { error: 'push subscription not found' }])
    assert.deepEqual(service.at('/stranger'), [])
  })

  for (const [path, answer, words] of [
    ['/gone', 410, /no longer knows this browser: switch notifications on again/],
    ['/refuses', 403, /refused this server \(403\): set vapidSubject/],
    ['/breaks', 500, /answered 500; try again later/],
  ] as const) {
    it(`says in words what a push service means with ${answer}`, async () => {
      service.answer = (at) => ({ status: at === path ? answer : 201 })
      const { subscription } = await subscribe(path)
      const { status, body } = await test(subscription.endpoint)
      assert.deepEqual([status, at(body, 'delivered')], [200, false])
      assert.match(textAt(body, 'message'), words)
      assert.equal(service.at(path).length, 1)
    })
  }

  it('removes a subscription that has ended', async () => {
    service.answer = () => ({ status: 404 })
    const { subscription } = await subscribe('/ended')
    await test(subscription.endpoint)
    const secret = await api.client.find(SECRETS, { namespace: api.namespace, name: SUBSCRIPTIONS_SECRET })
    const stored = Object.values(secret?.data ?? {}).map((text) => Buffer.from(text, 'base64').toString())
    assert.ok(stored.every((text) => !text.includes('/ended')))
  })

  it('says that a push service cannot be reached', async () => {
    const { subscription } = aBrowser('https://127.0.0.1:9/unreachable')
    await api.post('/api/push/subscribe', subscription)
    const { body } = await test(subscription.endpoint)
    assert.deepEqual(at(body, 'delivered'), false)
    assert.match(textAt(body, 'message'), /could not reach the push service 127\.0\.0\.1:9/)
  })
})
