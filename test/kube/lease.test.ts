import assert from 'node:assert/strict'
import type { Lease } from '../../kube/builtin.ts'
import { acquireLease, releaseLease } from '../../kube/lease.ts'
import { type MemoryClient, memoryClient } from './memory-client.ts'

const KEY = { namespace: 'ns', name: 'slipway-slot-claude-1' }
const now = new Date('2026-01-01T00:00:00.123Z')

describe('a lease held by name', () => {
  let client: MemoryClient
  beforeEach(() => {
    client = memoryClient()
  })
  const held = () => (client.objects.get('leases/ns/slipway-slot-claude-1') as Lease).spec?.holderIdentity
  const acquire = async (holder: string) => {
    const outcome = await acquireLease(client, KEY, { holder, now, labels: { agent: 'claude' } })
    return outcome.kind === 'heldBy' ? `held by ${outcome.holder}` : 'acquired'
  }

  it('is made on first use, with labels and times to the microsecond', async () => {
    assert.equal(await acquire('task-1-1'), 'acquired')
    const lease = client.objects.get('leases/ns/slipway-slot-claude-1') as Lease
    assert.deepEqual(lease.metadata.labels, { agent: 'claude' })
    assert.equal(lease.spec?.acquireTime, '2026-01-01T00:00:00.123000Z')
  })

  it('goes to nobody else while it is held, however long that is', async () => {
    await acquire('task-1-1')
    const later = new Date(now.getTime() + 30 * 24 * 3_600_000)
    const outcome = await acquireLease(client, KEY, { holder: 'task-2-1', now: later })
    assert.deepEqual([outcome.kind, held()], ['heldBy', 'task-1-1'])
  })

  it('taking it again is the same as having it', async () => {
    await acquire('task-1-1')
    assert.equal(await acquire('task-1-1'), 'acquired')
  })

  it('is released by its holder only', async () => {
    await acquire('task-1-1')
    assert.equal(await releaseLease(client, KEY, 'task-2-1'), undefined)
    assert.equal(held(), 'task-1-1')
    assert.ok(await releaseLease(client, KEY, 'task-1-1'))
    assert.equal(await releaseLease(client, KEY, 'task-1-1'), undefined)
    assert.equal(await acquire('task-2-1'), 'acquired')
  })

  it('releasing one that is gone does nothing', async () => {
    assert.equal(await releaseLease(client, KEY, 'task-1-1'), undefined)
  })

  it('is taken and freed without a read by who knows how it stands', async () => {
    const { find } = client
    client.find = () => Promise.reject(new Error('it was read'))
    const first = await acquireLease(client, KEY, { holder: 'task-1-1', now }, { lease: undefined })
    assert.deepEqual([first.kind, held()], ['acquired', 'task-1-1'])
    const freed = await releaseLease(client, KEY, 'task-1-1', { lease: first.lease })
    assert.equal(held(), '')
    const second = await acquireLease(client, KEY, { holder: 'task-2-1', now }, { lease: freed })
    assert.deepEqual([second.kind, held()], ['acquired', 'task-2-1'])
    client.find = find
  })

  it('is not had twice because somebody knows what is no longer so', async () => {
    const first = await acquireLease(client, KEY, { holder: 'task-1-1', now })
    const freed = await releaseLease(client, KEY, 'task-1-1')
    await acquire('task-2-1')
    for (const lease of [undefined, freed, first.lease]) {
      const outcome = await acquireLease(client, KEY, { holder: 'task-1-1', now }, { lease })
      assert.deepEqual([outcome.kind, held()], ['heldBy', 'task-2-1'])
      assert.equal(await releaseLease(client, KEY, 'task-1-1', { lease }), undefined)
      assert.equal(held(), 'task-2-1')
    }
  })

  for (const start of ['absent', 'free'] as const) {
    it(`of ten that race for a lease that is ${start} exactly one gets it`, async () => {
      if (start === 'free') {
        await acquire('before')
        await releaseLease(client, KEY, 'before')
      }
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => acquire(`task-${i}`)))
      assert.equal(outcomes.filter((outcome) => outcome === 'acquired').length, 1)
      assert.ok(outcomes.every((outcome) => outcome === 'acquired' || outcome === `held by ${held()}`))
    })
  }
})
