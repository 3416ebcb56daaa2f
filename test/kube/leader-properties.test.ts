import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { delay } from '../../lib/clock.ts'
import { type Contender, createContenders } from './contenders.ts'

/** What befalls one of the contenders, or the Lease, and how long nothing happens afterwards. */
const step = fc.record({
  what: fc.constantFrom('stop', 'start', 'cutOff', 'reconnect', 'touch', 'slow', 'fast'),
  who: fc.nat(2),
  afterMs: fc.oneof(fc.constant(0), fc.nat(1000), fc.nat(20_000)),
})
const steps = fc.array(step, { maxLength: 25 })

/** Longer than a Lease, the first look after it, and requests as slow as they may be here. */
const SETTLE_MS = 60_000
const SLOW_MS = 3000

describe('leader election, whatever happens', () => {
  it('has one leader at most, and one once all is well again', () =>
    fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const contenders = createContenders()
        const { clock, client, leading } = contenders
        let latencyMs = 0
        client.before(() => (latencyMs === 0 ? undefined : delay(clock, latencyMs)))
        let started = 0
        const start = (): Contender => contenders.contend(`contender-${++started}`)
        const present = [start(), start(), start()]
        const act = ({ what, who }: Pick<(typeof given)[number], 'what' | 'who'>): void => {
          const contender = present[who] ?? assert.fail()
          if (what === 'start') {
            contender.stop()
            present[who] = start()
          } else if (what === 'touch') contenders.touchLease()
          else if (what === 'slow' || what === 'fast') latencyMs = what === 'slow' ? SLOW_MS : 0
          else contender[what]()
        }
        await clock.advance(0)
        for (const one of given) {
          act(one)
          await clock.advance(one.afterMs)
        }
        latencyMs = 0
        for (const who of present.keys()) act({ what: 'start', who })
        await clock.advance(SETTLE_MS)
        assert.deepEqual([contenders.most(), leading.length], [1, 1])
        await contenders.end()
      }),
    ))
})
