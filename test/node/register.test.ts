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

  it('keeps off by its taint what does not tolerate it, and leaves the taints of others', async () => {
    const { client } = memoryApi()
    const others = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
    await client.create(NODES, { metadata: { name: 'here' }, spec: { taints: [others] } })
    await registerNode(client, { ...registration, taint: 'example.dev/own' }, new Date())
    const { spec } = await client.get(NODES, { name: 'here' })
    assert.deepEqual(spec?.taints, [others, { key: 'example.dev/own', effect: 'NoSchedule' }])
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

  const own = { namespace: 'ours', labels: { own: 'yes' } }
  const selecting = { nodeSelector: { 'kubernetes.io/hostname': 'here' } }
  for (const [title, metadata, spec, taken] of [
    ['is taken when it is of our namespace and label and selects us', own, selecting, true],
    ['is left alone when it lacks our label', { ...own, labels: {} }, selecting, false],
    ['is left alone when it lies in another namespace', { ...own, namespace: 'theirs' }, selecting, false],
    ['is left alone when it does not say which machine it is for', own, {}, false],
    [
      'is left alone when it selects another machine',
      own,
      { nodeSelector: { 'kubernetes.io/hostname': 'there' } },
      false,
    ],
  ] as const) {
    it(`${title}, where others use the API too`, () => {
      const only = { namespace: 'ours', label: 'own', taint: 'example.dev/own' }
      const pod = { metadata: { name: 'p', ...metadata }, spec: { containers: [], ...spec } }
      assert.equal(isForUs(pod, { 'kubernetes.io/hostname': 'here' }, only), taken)
    })
  }
})
