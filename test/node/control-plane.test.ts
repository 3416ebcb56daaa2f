/** The node on a real HTTP API: the embedded control plane with its Job controller. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import type { Job, PodSpec } from '../../kube/builtin.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { JOBS, NODES, PODS, SECRETS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { type RunningNode, startNode } from '../../node/main.ts'
import { until } from '../helpers/until.ts'
import { newRoot, script } from './given.ts'

const namespace = 'default'

describe('the node on the embedded control plane', () => {
  let root: string
  let controlPlane: ControlPlane
  let client: ApiClient
  let node: RunningNode
  beforeEach(async () => {
    root = await newRoot()
    const common = { clock: systemClock, logger: makeLogger('silent'), randomBytes }
    const storeDir = join(root, 'store')
    controlPlane = await startControlPlane({ storeDir, crds: [], host: '127.0.0.1', port: 0, ...common })
    const config = await loadKubeConfig({ kind: 'content', content: controlPlane.kubeconfig })
    client = createClient(config, { userAgent: 'node-test/1', fieldManager: 'node-test', requestTimeoutMs: 30_000 })
    const folders = { dir: join(root, 'node'), secretsRoot: join(root, 'secrets'), claims: {}, imagePaths: [] }
    const how = { name: 'here', runtime: 'process', logReaders: controlPlane.certificate } as const
    node = await startNode({ client, ...how, ...folders, ...common })
  })
  afterEach(async () => {
    await node.stop({ endPods: true })
    await client.close()
    await controlPlane.stop()
    await rm(root, { recursive: true, force: true })
  })

  async function runJob(name: string, spec: Partial<PodSpec>): Promise<Job> {
    const containers = (spec.containers ?? []).map((container) => ({ image: 'here', ...container }))
    const inits = (spec.initContainers ?? []).map((container) => ({ image: 'here', ...container }))
    const template = { spec: { restartPolicy: 'Never' as const, ...spec, containers, initContainers: inits } }
    return client.create(JOBS, { metadata: { name, namespace }, spec: { backoffLimit: 0, template } })
  }
  async function condition(name: string): Promise<string | undefined> {
    const { status } = await client.get(JOBS, { namespace, name })
    return status?.conditions?.find(({ type, status: value }) => /^(Complete|Failed)$/.test(type) && value === 'True')
      ?.type
  }
  async function logOf(job: string): Promise<string> {
    const { items } = await client.list(PODS, { namespace, labelSelector: `batch.kubernetes.io/job-name=${job}` })
    const chunks: Uint8Array[] = []
    const key = { namespace, name: items[0]?.metadata.name ?? '' }
    for await (const chunk of client.podLog(key, { container: 'main' }, new AbortController().signal))
      chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('brings a Job to Complete, and shows its log', async () => {
    const data = { word: Buffer.from('secret word').toString('base64') }
    await client.create(SECRETS, { metadata: { name: 'keys', namespace }, data })
    const env = [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'word' } } }]
    await runJob('good', {
      initContainers: [script('first', 'true')],
      containers: [{ ...script('main', 'echo "the $WORD"'), env }],
    })
    await until('the Job is complete', async () => (await condition('good')) === 'Complete')
    assert.equal(await logOf('good'), 'the secret word\n')
  })

  it('shows no secret to who may see its Node, and takes the Node away when it stops', async () => {
    const { metadata } = await client.get(NODES, { name: 'here' })
    assert.equal(metadata.annotations, undefined)
    await node.stop()
    assert.equal(await client.find(NODES, { name: 'here' }), undefined)
  })

  it('brings a Job to Failed when its pod fails', async () => {
    await runJob('bad', { containers: [script('main', 'exit 3')] })
    await until('the Job has failed', async () => (await condition('bad')) === 'Failed')
  })

  it('ends the processes of a Job that is deleted, and lets it go', async () => {
    await runJob('long', { containers: [script('main', 'sleep 300')] })
    const pods = async () => (await client.list(PODS, { namespace })).items
    await until('its pod runs', async () => (await pods())[0]?.status?.phase === 'Running')
    await client.delete(JOBS, { namespace, name: 'long' }, { propagationPolicy: 'Foreground' })
    await until('the Job is gone', async () => (await client.find(JOBS, { namespace, name: 'long' })) === undefined)
    assert.deepEqual(await pods(), [])
  })
})
