import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { type Hub, createHub } from '../../../api-server/live/hub.ts'
import { createFanOut } from '../../../api-server/live/fan-out.ts'
import { manualClock } from '../../helpers/clock.ts'
import { runs } from '../../helpers/runs.ts'

interface Told {
  readonly id: string
  readonly type: string
  readonly task_id?: string
}

const aHub = (limits = { items: 3, bytes: 1_000_000 }, epoch = 'e') =>
  createHub({ clock: manualClock(), epoch, limits })

/** Everything there is to read now. */
function readAll(hub: Hub, since?: string): Told[] {
  const subscription = hub.subscribe(() => undefined, since)
  const told: Told[] = []
  for (let next = subscription.next(); next !== undefined; next = subscription.next())
    told.push(JSON.parse(next.bytes.toString()))
  subscription.end()
  return told
}

describe('the hub of live messages', () => {
  it('gives what came after an id, and a resync when that is forgotten, foreign or no id', () => {
    const hub = aHub()
    for (let i = 1; i <= 5; i++) hub.publish('task_updated', { task_id: `t-${i}` })
    const since = (id: string) => readAll(hub, id).map(({ type, task_id }) => task_id ?? type)
    assert.deepEqual(['e-1', 'e-2', 'e-4', 'e-5'].map(since), [['resync'], ['t-3', 't-4', 't-5'], ['t-5'], []])
    for (const id of ['f-5', 'e-6', '', 'e', '5', 'e-5x']) assert.deepEqual(since(id), ['resync'], id)
  })

  it('keeps not more bytes than allowed, and always the newest message', () => {
    const hub = aHub({ items: 1000, bytes: 1000 })
    hub.publish('task_updated', {}, JSON.stringify('x'.repeat(2000)))
    hub.publish('task_updated', {}, JSON.stringify('y'.repeat(2000)))
    assert.deepEqual(
      readAll(hub, 'e-1').map(({ id }) => id),
      ['e-2'],
    )
    assert.deepEqual(
      readAll(hub, 'e-0').map(({ type }) => type),
      ['resync'],
    )
  })

  it('goes on behind a resync with the very next message, also for a client that comes back with its id', () => {
    const hub = aHub()
    hub.publish('task_updated', { task_id: 'before' })
    const [resync] = readAll(hub, 'unknown')
    hub.publish('task_updated', { task_id: 'after' })
    assert.deepEqual(
      readAll(hub, resync?.id).map(({ task_id }) => task_id),
      ['after'],
    )
  })

  it('makes the bytes of a message once for all readers', () => {
    const hub = aHub()
    const [one, other] = [hub.subscribe(() => undefined), hub.subscribe(() => undefined)]
    hub.publish('project_updated', {}, '{"id":"p"}')
    assert.equal(one.next()?.bytes, other.next()?.bytes)
  })

  const steps = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish' as const), size: fc.nat(60) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), reader: fc.nat(3), count: fc.nat(6) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), reader: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('connect' as const), reader: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
    ),
    { maxLength: 120 },
  )

  it('gives every reader, however slow or often cut off, every message in order or a resync', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        let run = 1
        const limits = { items: 5, bytes: 600 }
        let hub = aHub(limits, `run${run}`)
        let published = 0
        /** What a reader must get next, and the last id it has. */
        const readers = Array.from({ length: 4 }, () => ({
          subscription: hub.subscribe(() => undefined),
          expected: 1,
          lastId: undefined as string | undefined,
        }))
        for (const step of plan) {
          if (step.kind === 'publish') {
            published += 1
            hub.publish('task_updated', { task_id: `t-${published}` }, JSON.stringify('x'.repeat(step.size)))
          } else if (step.kind === 'restart') {
            run += 1
            hub = aHub(limits, `run${run}`)
            for (const reader of readers) reader.subscription = hub.subscribe(() => undefined, reader.lastId ?? 'none')
          } else {
            const reader = readers[step.reader]
            assert.ok(reader)
            if (step.kind === 'connect') {
              // A new client in the place of the old: it knows no id.
              const subscription = hub.subscribe(() => undefined)
              Object.assign(reader, { subscription, expected: published + 1, lastId: undefined })
            } else if (step.kind === 'reconnect') {
              // One that has no id yet is no different from a new one.
              if (reader.lastId === undefined) reader.expected = published + 1
              reader.subscription = hub.subscribe(() => undefined, reader.lastId)
            } else {
              for (let i = 0; i < step.count; i++) {
                const next = reader.subscription.next()
                if (next === undefined) {
                  assert.equal(reader.expected, published + 1, 'nothing to read, yet not everything was read')
                  break
                }
                const told: Told = JSON.parse(next.bytes.toString())
                reader.lastId = told.id
                if (told.type === 'resync') reader.expected = published + 1
                else {
                  assert.equal(told.task_id, `t-${reader.expected}`)
                  reader.expected += 1
                }
              }
            }
          }
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('the fan-out of news', () => {
  it('calls every listener after a ring, also those of a round that is under way, in turns of a slice each', async () => {
    const fanOut = createFanOut()
    const calls = Array.from({ length: 250 }, () => 0)
    const leave = calls.map((_, i) => fanOut.join(() => void (calls[i] = (calls[i] ?? 0) + 1)))
    fanOut.notify()
    fanOut.notify()
    await setImmediate()
    const inFirstTurn = calls.filter((count) => count > 0).length
    assert.ok(inFirstTurn > 0 && inFirstTurn < 250, `${inFirstTurn} in one turn`)
    fanOut.notify()
    leave[249]?.()
    for (let i = 0; i < 20; i++) await setImmediate()
    assert.ok(calls.slice(0, inFirstTurn).every((count) => count === 2))
    assert.ok(calls.slice(0, 249).every((count) => count >= 1))
    assert.equal(calls[249], 0)
  })
})
