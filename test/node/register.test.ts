import assert from 'node:assert/strict'
import { NODES } from '../../kube/resources.ts'
import { isForUs } from '../../node/bind.ts'
import { registerNode } from '../../node/register.ts'
import { memoryApi } from './memory-api.ts'

const registration = { name: 'here', runtime: 'process', address: '127.0.0.1', logPort: 4711 } as const

describe('the registration of a node', () => {
  it('makes it Ready, with an address, a capacity and the port of its logs', async () => {
    const { client } = memoryApi()
    await registerNode(client, registration, new Date('2026-01-01T00:00:00Z'))
    const { status, metadata } = await client.get(NODES, { name: 'here' })
    assert.equal(metadata.labels?.['kubernetes.io/hostname'], 'here')
    assert.deepEqual(status?.daemonEndpoints, { kubeletEndpoint: { Port: 4711 } })
    assert.deepEqual(
      status?.conditions?.map(({ type, status: value }) => [type, value]),
      [['Ready', 'True']],
    )
    assert.match(status?.capacity?.['memory'] ?? '', /^\d+Ki$/)
  })

  it('keeps what others wrote on it, and when it became Ready', async () => {
    const { client } = memoryApi()
    await registerNode(client, registration, new Date('2026-01-01T00:00:00Z'))
    const node = await client.get(NODES, { name: 'here' })
    await client.replace(NODES, {
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, zone: 'a' } },
    })
    await registerNode(client, registration, new Date('2026-01-02T00:00:00Z'))
    const again = await client.get(NODES, { name: 'here' })
    assert.equal(again.metadata.labels?.['zone'], 'a')
    assert.deepEqual(
      again.status?.conditions?.map(({ lastTransitionTime, lastHeartbeatTime }) => [
        lastTransitionTime,
        lastHeartbeatTime,
      ]),
      [['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']],
    )
  })

  it('takes away the secret that an earlier version left in the Node object', async () => {
    const { client } = memoryApi()
    const annotations = { 'embedded.node/log-token': 'secret', theirs: 'kept' }
    await client.create(NODES, { metadata: { name: 'here', annotations } })
    await registerNode(client, registration, new Date())
    const node = await client.get(NODES, { name: 'here' })
    assert.deepEqual(node.metadata.annotations, { theirs: 'kept' })
  })
})

describe('a pod that nobody schedules', () => {
  const labels = { zone: 'a' }
  for (const [title, spec, taken] of [
    ['is taken', {}, true],
    ['is left alone when it has a node', { nodeName: 'there' }, false],
    ['is left alone when it names a scheduler', { schedulerName: 'mine' }, false],
    ['is taken when it selects our labels', { nodeSelector: { zone: 'a' } }, true],
    ['is left alone when it selects other labels', { nodeSelector: { zone: 'b' } }, false],
  ] as const) {
    it(title, () => {
      assert.equal(isForUs({ metadata: { name: 'p' }, spec: { containers: [], ...spec } }, labels), taken)
    })
  }
})
