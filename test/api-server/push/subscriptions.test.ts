// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { type Subscription, type Subscriptions, createSubscriptions } from '../../../api-server/push/subscriptions.ts'
import type { KubeClient } from '../../../kube/types.ts'
import { systemClock } from '../../../lib/clock.ts'
import { type TestControlPlane, startTestControlPlane } from '../../helpers/control-plane.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { until } from '../../helpers/until.ts'

describe('the subscriptions to push notifications', () => {
  let controlPlane: TestControlPlane
  let namespace: string
  let reads: number
  let stop: AbortController
  let following: Promise<void>

  before(async () => (controlPlane = await startTestControlPlane()))
  after(() => controlPlane.stop())
  beforeEach(async () => {
    namespace = await controlPlane.makeNamespace()
    reads = 0
    stop = new AbortController()
    following = Promise.resolve()
  })
  afterEach(async () => {
    stop.abort()
    await following
  })

  const open = (): Subscriptions => {
    const { client } = controlPlane
    const counting: KubeClient = {
      ...client,
      find: (...args) => {
        reads += 1
        return client.find(...args)
      },
    }
    const { logger } = recordingLogger()
    return createSubscriptions({ client: counting, namespace, clock: systemClock, random: Math.random, logger })
  }
  const browser = (name: string): Subscription => ({
    endpoint: `https://push.example/${name}`,
    p256dh: 'key',
    auth: 'secret',
    createdAt: '2026-01-01T00:00:00Z',
  })
  const names = async (subscriptions: Subscriptions): Promise<string[]> =>
    (await subscriptions.list()).map(({ endpoint }) => endpoint.slice('https://push.example/'.length)).sort()

  it('are read each time while nobody follows them', async () => {
    const subscriptions = open()
    await subscriptions.put(browser('a'))
    reads = 0
    for (let i = 0; i < 3; i++) assert.deepEqual(await names(subscriptions), ['a'])
    assert.equal(reads, 3)
  })

  it('are all kept where many browsers subscribe at once', async () => {
    const subscriptions = open()
    const wanted = Array.from({ length: 40 }, (_, i) => `browser-${i}`).sort()
    await Promise.all(wanted.map((name) => subscriptions.put(browser(name))))
    assert.deepEqual(await names(subscriptions), wanted)
  })

  it('cost no request while they are followed, and are what any server has made of them', async () => {
    const [sender, other] = [open(), open()]
    await other.put(browser('before'))
    following = sender.follow(stop.signal)
    await until('they are followed', async () => {
      reads = 0
      await sender.list()
      return reads === 0
    })
    for (let i = 0; i < 100; i++) assert.deepEqual(await names(sender), ['before'])
    assert.equal(reads, 0)
    await sender.put(browser('own'))
    assert.deepEqual(await names(sender), ['before', 'own'])
    await other.put(browser('others'))
    await until('what another server stored is known', async () => (await names(sender)).includes('others'))
    await other.remove('https://push.example/before')
    await until('what it removed is gone', async () => !(await names(sender)).includes('before'))
    stop.abort()
    await following
    assert.deepEqual(await names(sender), ['others', 'own'])
  })
})
