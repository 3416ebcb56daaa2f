import assert from 'node:assert/strict'
import { LEASES } from '../../kube/resources.ts'
import { LEASE_NAMESPACE, renewLease } from '../../node/lease.ts'
import { manualClock } from '../helpers/clock.ts'
import { memoryApi } from './memory-api.ts'

describe('the Lease of a node', () => {
  it('makes the Lease and its namespace, and renews the Lease from then on', async () => {
    const { client } = memoryApi()
    const clock = manualClock()
    const key = { namespace: LEASE_NAMESPACE, name: 'here' }
    await renewLease(client, 'here', clock.now())
    const first = (await client.get(LEASES, key)).spec?.renewTime
    await clock.advance(10_000)
    await renewLease(client, 'here', clock.now())
    const second = (await client.get(LEASES, key)).spec?.renewTime
    assert.deepEqual([first, second], ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:10.000000Z'])
  })
})
