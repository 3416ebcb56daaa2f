import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createDelivery } from '../../../api-server/push/delivery.ts'
import type { PushRequest } from '../../../api-server/push/message.ts'
import type { PushAnswer } from '../../../api-server/push/retry.ts'
import type { Subscription } from '../../../api-server/push/subscriptions.ts'
import { loadVapidKeys } from '../../../api-server/push/vapid.ts'
import { findNotification } from '../../../core/notify.ts'
import { aTask } from '../../helpers/build.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { aBrowser } from '../../helpers/push-service.ts'
import { until } from '../../helpers/until.ts'

const status = (code: number, retryAfter?: string): PushAnswer => ({ kind: 'status', status: code, retryAfter })

function aSubscription(path: string): Subscription {
  const { endpoint, keys } = aBrowser(`https://push.example/secret-${path}`).subscription
  return { endpoint, ...keys, createdAt: '2026-01-01T00:00:00Z' }
}

function aNotification(name: string) {
  const found = findNotification(undefined, aTask({ name, status: { state: 'READY' } }))
  assert.ok(found)
  return found
}

describe('the delivery of notifications', () => {
  let clock: ManualClock
  let posted: { readonly path: string; readonly settle: (answer: PushAnswer) => void; readonly request: PushRequest }[]
  let outcomes: string[]
  let removed: Subscription[]
  let log: ReturnType<typeof recordingLogger>

  beforeEach(() => {
    clock = manualClock(new Date())
    posted = []
    outcomes = []
    removed = []
    log = recordingLogger()
  })

  async function start(answers: (path: string) => PushAnswer | 'hang') {
    const keys = await loadVapidKeys({ kind: 'given', privateKey: randomBytes(32).fill(1, 0, 1).toString('base64url') })
    return createDelivery({
      transport: {
        post: (request, signal) =>
          new Promise((settle) => {
            const path = request.url.pathname.slice(1)
            posted.push({ path, settle, request })
            const answer = answers(path)
            if (answer !== 'hang') settle(answer)
            else signal.addEventListener('abort', () => settle({ kind: 'unreachable' }))
          }),
        close: () => undefined,
      },
      subscriptions: { removeExactly: async (subscription) => void removed.push(subscription) },
      sender: async () => ({ keys, subject: 'mailto:me@example.com' }),
      clock,
      logger: log.logger,
      random: () => 0,
      onOutcome: (outcome) => void outcomes.push(outcome),
    })
  }
  const posts = (count: number) => until(`${count} requests`, () => posted.length >= count)
  const ends = (count: number) => until(`${count} outcomes`, () => outcomes.length >= count)
  /** Moves the clock in small steps until the condition holds, so that it does not matter when a wait began. */
  const passUntil = (what: string, condition: () => boolean) =>
    until(what, async () => {
      await clock.advance(500)
      return condition()
    })

  it('waits as long as Retry-After asks, then succeeds', async () => {
    const delivery = await start(() => (posted.length === 1 ? status(429, '60') : status(201)))
    delivery.send(aNotification('a'), aSubscription('x'))
    await posts(1)
    const sentAt = clock.elapsedMs()
    await passUntil('the second try', () => posted.length === 2)
    assert.ok(clock.elapsedMs() - sentAt >= 60_000)
    await ends(1)
    assert.deepEqual(outcomes, ['sent'])
  })

  it('gives up what fails six times, and says so without the endpoint', async () => {
    const delivery = await start(() => status(503))
    delivery.send(aNotification('a'), aSubscription('x'))
    await passUntil('the end', () => outcomes.length === 1)
    assert.deepEqual([outcomes, posted.length], [['gaveUp'], 6])
    const text = JSON.stringify(log.lines)
    assert.match(text, /push\.example/)
    assert.doesNotMatch(text, /secret-x/)
  })

  for (const code of [404, 410]) {
    it(`removes a subscription that answers ${code}, with all that waits for it`, async () => {
      const delivery = await start(() => status(code))
      const subscription = aSubscription('x')
      delivery.send(aNotification('a'), subscription)
      delivery.send(aNotification('b'), subscription)
      await until('the subscription is removed', () => removed.length === 1)
      assert.deepEqual([removed, outcomes, posted.length], [[subscription], ['gone', 'gone'], 1])
    })
  }

  for (const code of [400, 413]) {
    it(`drops a message that is answered ${code}, and goes on with the next`, async () => {
      const delivery = await start(() => status(posted.length === 1 ? code : 201))
      const subscription = aSubscription('x')
      delivery.send(aNotification('a'), subscription)
      delivery.send(aNotification('b'), subscription)
      await ends(2)
      assert.deepEqual([outcomes, removed], [['refused', 'sent'], []])
    })
  }

  it('is not held up for others by an endpoint that hangs', async () => {
    const delivery = await start((path) => (path === 'secret-slow' ? 'hang' : status(201)))
    const slow = aSubscription('slow')
    for (const name of ['a', 'b', 'c']) {
      delivery.send(aNotification(name), slow)
      delivery.send(aNotification(name), aSubscription('quick'))
    }
    await ends(3)
    assert.deepEqual(outcomes, ['sent', 'sent', 'sent'])
    assert.equal(posted.filter(({ path }) => path === 'secret-slow').length, 1)
  })

  it('sends to 32 endpoints at a time at most, and to all in the end', async () => {
    const delivery = await start(() => 'hang')
    for (let i = 0; i < 40; i += 1) delivery.send(aNotification('a'), aSubscription(String(i)))
    await posts(32)
    for (let i = 0; i < 20; i += 1) await setImmediate()
    assert.equal(posted.length, 32)
    for (let i = 0; i < 40; i += 1) {
      await posts(i + 1)
      posted[i]?.settle(status(201))
    }
    await ends(40)
  })

  it('sends only the latest of several notifications of a task that wait for one endpoint', async () => {
    const delivery = await start(() => status(posted.length === 1 ? 503 : 201))
    const subscription = aSubscription('x')
    delivery.send(aNotification('a'), subscription)
    await posts(1)
    delivery.send(aNotification('a'), subscription)
    delivery.send(aNotification('a'), subscription)
    await passUntil('three outcomes', () => outcomes.length === 3)
    assert.deepEqual([outcomes.toSorted(), posted.length], [['dropped', 'dropped', 'sent'], 2])
  })

  it('stops at once while it only waits to try again', async () => {
    const delivery = await start(() => status(503))
    delivery.send(aNotification('a'), aSubscription('x'))
    await posts(1)
    await delivery.stop()
    assert.deepEqual(outcomes, ['dropped'])
  })

  it('stops with requests under way cut after a few seconds', async () => {
    const delivery = await start(() => 'hang')
    delivery.send(aNotification('a'), aSubscription('x'))
    await posts(1)
    const stopped = delivery.stop()
    await clock.advance(4000)
    assert.deepEqual(outcomes, [])
    await clock.advance(2000)
    await stopped
    assert.deepEqual(outcomes, ['dropped'])
    delivery.send(aNotification('b'), aSubscription('x'))
    assert.equal(posted.length, 1)
  })
})
