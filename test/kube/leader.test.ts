import assert from 'node:assert/strict'
import type { Lease } from '../../kube/builtin.ts'
import { runAsLeader } from '../../kube/leader.ts'
import type { ManualClock } from '../helpers/clock.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import type { MemoryClient } from './memory-client.ts'
import { memoryClient } from './memory-client.ts'

const KEY = { namespace: 'ns', name: 'slipway-operator' }

describe('leader election', () => {
  let clock: ManualClock
  let client: MemoryClient
  let leading: string[]
  let terms: string[]
  let ends: (() => Promise<void>)[]
  beforeEach(() => {
    clock = manualClock()
    client = memoryClient()
    leading = []
    terms = []
    ends = []
  })
  afterEach(async () => {
    for (const end of ends) await end()
  })

  /** A contender whose server can be taken away from it alone. */
  const contend = (identity: string) => {
    const stop = new AbortController()
    let isCutOff = false
    const refuse = (): void => {
      if (isCutOff) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    const own: MemoryClient = {
      ...client,
      find: async (...args) => (refuse(), client.find(...args)),
      create: async (...args) => (refuse(), client.create(...args)),
      replace: async (...args) => (refuse(), client.replace(...args)),
    }
    const options = { client: own, key: KEY, identity, clock, monotonicMs: clock.elapsedMs, random: () => 0 }
    const running = runAsLeader({ ...options, logger: recordingLogger().logger }, stop.signal, async (lost) => {
      leading.push(identity)
      terms.push(identity)
      const over = AbortSignal.any([lost, stop.signal])
      await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
      leading.splice(leading.indexOf(identity), 1)
    })
    const end = async (): Promise<void> => {
      stop.abort()
      await clock.advance(0)
      await running
    }
    ends.push(end)
    return { end, cutOff: () => void (isCutOff = true), reconnect: () => void (isCutOff = false) }
  }
  const lease = () => client.objects.get('leases/ns/slipway-operator') as Lease

  it('makes one of two the leader, and keeps it while it renews', async () => {
    contend('one')
    await clock.advance(0)
    contend('two')
    await clock.advance(120_000)
    assert.deepEqual(leading, ['one'])
    assert.equal(lease().spec?.leaseTransitions, 0)
  })

  it('hands over within a retry when the leader stops', async () => {
    const one = contend('one')
    await clock.advance(0)
    contend('two')
    await clock.advance(1000)
    await one.end()
    await clock.advance(2000)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['two'], 1])
  })

  it('keeps its leader when somebody deletes the Lease', async () => {
    contend('one')
    await clock.advance(0)
    client.forget('leases/ns/slipway-operator')
    await clock.advance(20_000)
    assert.deepEqual([terms, lease().spec?.holderIdentity], [['one'], 'one'])
  })

  it('a leader that is cut off ends its work before the other begins', async () => {
    const one = contend('one')
    await clock.advance(0)
    contend('two')
    await clock.advance(7000)
    one.cutOff()
    let most = 0
    let idleAt: number | undefined
    for (let second = 0; second < 40; second++) {
      await clock.advance(1000)
      most = Math.max(most, leading.length)
      if (leading.length === 0) idleAt ??= second
    }
    assert.deepEqual([most, leading], [1, ['two']])
    assert.ok(idleAt !== undefined && idleAt < 10, 'the first has ended within the renewal deadline')
  })

  it('takes a crashed leader’s lease after its duration, not before', async () => {
    const one = contend('one')
    await clock.advance(0)
    one.cutOff()
    contend('two')
    await clock.advance(14_999)
    assert.ok(!leading.includes('two'))
    await clock.advance(2000)
    assert.deepEqual(leading, ['two'])
  })

  it('a failed renewal is repeated in time and costs nothing', async () => {
    const one = contend('one')
    await clock.advance(4999)
    one.cutOff()
    await clock.advance(3000)
    one.reconnect()
    await clock.advance(60_000)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['one'], 0])
  })

  it('keeps leading when somebody else merely touches the lease', async () => {
    contend('one')
    await clock.advance(1000)
    await client.replace({ group: '', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true }, lease())
    await clock.advance(60_000)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['one'], 0])
  })

  it('leads again after losing it', async () => {
    const one = contend('one')
    await clock.advance(0)
    one.cutOff()
    await clock.advance(20_000)
    assert.deepEqual(leading, [])
    one.reconnect()
    await clock.advance(3000)
    assert.deepEqual(leading, ['one'])
  })

  it('ends, and gives the lease back, when the work ends by itself', async () => {
    const options = { client, key: KEY, identity: 'one', clock, random: () => 0, logger: recordingLogger().logger }
    await runAsLeader(options, new AbortController().signal, () => Promise.resolve())
    assert.equal(lease().spec?.holderIdentity, '')
  })

  it('gives the lease back when the work fails, and rejects with its error', async () => {
    const options = { client, key: KEY, identity: 'one', clock, random: () => 0, logger: recordingLogger().logger }
    const failed = runAsLeader(options, new AbortController().signal, () => Promise.reject(new Error('broken')))
    await assert.rejects(failed, /broken/)
    assert.equal(lease().spec?.holderIdentity, '')
  })
})
