import assert from 'node:assert/strict'
import { systemClock } from '../../lib/clock.ts'
import type { ApiClient } from '../../kube/client.ts'
import { createEventRecorder } from '../../kube/events.ts'
import { runAsLeader } from '../../kube/leader.ts'
import { acquireLease, holderOf, releaseLease } from '../../kube/lease.ts'
import { createOutageLog } from '../../kube/outage.ts'
import { CONFIG_MAPS, EVENTS, LEASES } from '../../kube/resources.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { type Rig, setUpRig } from './kube-setup.ts'

describe('leases and events on a real kube-apiserver', function () {
  let rig: Rig
  before(async () => {
    rig = await setUpRig()
  })
  after(() => rig.end())

  it('of ten that race for a slot exactly one gets it, and only that one can give it back', async () => {
    const slot = { namespace: rig.namespace, name: 'slipway-slot-claude-1' }
    const claim = (i: number) => ({ holder: `task-${i}`, now: new Date() })
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => acquireLease(rig.direct, slot, claim(i))))
    assert.equal(outcomes.filter(({ kind }) => kind === 'acquired').length, 1)
    const holder = holderOf(await rig.direct.get(LEASES, slot)) ?? assert.fail('nobody holds it')
    assert.equal(await releaseLease(rig.direct, slot, 'task-nobody'), undefined)
    assert.ok(await releaseLease(rig.direct, slot, holder))
    assert.equal((await acquireLease(rig.direct, slot, claim(99))).kind, 'acquired')
  })

  it('two contenders never lead at once, and the second takes over from one that is cut off', async () => {
    const key = { namespace: rig.namespace, name: 'slipway-operator' }
    const stop = new AbortController()
    const leading = new Set<string>()
    let most = 0
    const contend = (identity: string, client: ApiClient): Promise<void> => {
      const timing = { durationMs: 1500, renewMs: 300 }
      const { logger } = recordingLogger()
      const outages = createOutageLog(systemClock, logger)
      const options = { client, key, identity, clock: systemClock, random: Math.random, logger, outages, ...timing }
      return runAsLeader(options, stop.signal, async (lost) => {
        leading.add(identity)
        most = Math.max(most, leading.size)
        const over = AbortSignal.any([lost, stop.signal])
        await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
        leading.delete(identity)
      })
    }
    const one = contend('one', rig.flaky)
    await until('the first leads', () => leading.has('one'))
    const two = contend('two', rig.direct)
    rig.proxy.hang()
    await until('the second leads', () => leading.has('two'))
    await rig.proxy.resume()
    assert.equal(most, 1)
    stop.abort()
    await Promise.all([one, two])
    assert.equal(holderOf(await rig.direct.get(LEASES, key)), undefined)
  })

  it('an event said twice is one event with a count of two', async () => {
    const about = await rig.direct.create(CONFIG_MAPS, { metadata: { name: 'a', namespace: rig.namespace } })
    const { logger, lines } = recordingLogger()
    const recorder = createEventRecorder({ client: rig.direct, component: 'slipway-test', clock: systemClock, logger })
    const note = { type: 'Warning', reason: 'Refused', message: 'task cannot be accepted from state PENDING' } as const
    recorder.record(about, note)
    recorder.record(about, note)
    await recorder.flush()
    assert.deepEqual(lines, [])
    const fieldSelector = `involvedObject.uid=${about.metadata.uid}`
    const { items } = await rig.direct.list(EVENTS, { namespace: rig.namespace, fieldSelector })
    assert.deepEqual(
      items.map(({ reason, count }) => [reason, count]),
      [['Refused', 2]],
    )
  })
})
