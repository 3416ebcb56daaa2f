import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { LEASES } from '../../kube/resources.ts'
import { findStartTime } from '../../lib/process.ts'
import { checkUnheld, holderIdentity, LEASE_NAMESPACE, renewLease } from '../../node/lease.ts'
import { manualClock } from '../helpers/clock.ts'
import { memoryApi } from './memory-api.ts'

describe('the Lease of a node', () => {
  it('makes the Lease and its namespace, and renews the Lease from then on', async () => {
    const { client } = memoryApi()
    const clock = manualClock()
    const key = { namespace: LEASE_NAMESPACE, name: 'here' }
    await renewLease(client, 'here', 'me', clock.now())
    const first = (await client.get(LEASES, key)).spec?.renewTime
    await clock.advance(10_000)
    await renewLease(client, 'here', 'me', clock.now())
    const second = (await client.get(LEASES, key)).spec?.renewTime
    assert.deepEqual([first, second], ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:10.000000Z'])
  })

  it('refuses a second process on another machine while the first renews it, and not for longer', async () => {
    const { client } = memoryApi()
    const clock = manualClock()
    await renewLease(client, 'here', 'elsewhere_17_4711', clock.now())
    await assert.rejects(checkUnheld(client, 'here', clock.now()), {
      message: /^node here is run by another process \(elsewhere_17_4711, last seen .*data folder of its own/,
    })
    await clock.advance(41_000)
    await checkUnheld(client, 'here', clock.now())
  })

  it('refuses a second process on this machine only while the first lives', async () => {
    const { client } = memoryApi()
    const clock = manualClock()
    const first = spawn('sleep', ['60'])
    const holder = `${hostname()}_${first.pid}_${await findStartTime(first.pid ?? 0)}`
    await renewLease(client, 'here', holder, clock.now())
    await assert.rejects(checkUnheld(client, 'here', clock.now()), /run by another process/)
    first.kill('SIGKILL')
    await once(first, 'exit')
    await checkUnheld(client, 'here', clock.now())
  })

  it('does not refuse the process that holds it', async () => {
    const { client } = memoryApi()
    const clock = manualClock()
    await renewLease(client, 'here', await holderIdentity(), clock.now())
    await checkUnheld(client, 'here', clock.now())
  })
})
