/** Our node in place of a kubelet, on the kube-apiserver and controllers that KUBECONFIG names. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENTS, JOBS, LEASES, NODES, PODS, SERVICE_ACCOUNTS } from '../../kube/resources.ts'
import type { Pod, PodSpec } from '../../kube/builtin.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { LEASE_NAMESPACE } from '../../node/lease.ts'
import { type NodeOptions, type RunningNode, startNode } from '../../node/main.ts'
import { ofNamespace } from '../helpers/machine-on-cluster.ts'
import { until } from '../helpers/until.ts'
import { newRoot, script } from '../node/given.ts'
import { type Rig, setUpRig } from './kube-setup.ts'

describe('the node on a real kube-apiserver', () => {
  const name = `node-test-${randomBytes(4).toString('hex')}`
  const logger = makeLogger('silent')
  let rig: Rig
  let root: string
  let node: RunningNode | undefined
  const others: RunningNode[] = []
  before(async () => {
    rig = await setUpRig()
    root = await newRoot()
    node = await start({})
    const account = { namespace: rig.namespace, name: 'default' }
    await until(
      'the namespace has its service account',
      async () => (await rig.direct.find(SERVICE_ACCOUNTS, account)) !== undefined,
    )
  })
  after(async () => {
    for (const running of [node, ...others]) await running?.stop({ endPods: true })
    await rig.end()
    await rm(root, { recursive: true, force: true })
  })

  async function start(options: Partial<NodeOptions>): Promise<RunningNode> {
    const folders = { dir: join(root, 'node'), secretsRoot: join(root, 'secrets'), claims: {}, imagePaths: [] }
    const common = { clock: systemClock, logger, randomBytes, runtime: 'process' } as const
    return startNode({
      client: ofNamespace(rig.direct, rig.namespace),
      name,
      ...folders,
      ...common,
      ...options,
    })
  }
  async function runJob(job: string, text: string, spec: Partial<PodSpec> = {}): Promise<void> {
    const container = { ...script('main', text), image: 'here' }
    const nodeSelector = { 'kubernetes.io/hostname': name }
    const full = { restartPolicy: 'Never' as const, automountServiceAccountToken: false, nodeSelector, ...spec }
    const template = { spec: { ...full, containers: [container] } }
    const metadata = { name: job, namespace: rig.namespace }
    await rig.direct.create(JOBS, { metadata, spec: { backoffLimit: 0, podReplacementPolicy: 'Failed', template } })
  }
  async function condition(job: string): Promise<string | undefined> {
    const { status } = await rig.direct.get(JOBS, { namespace: rig.namespace, name: job })
    return status?.conditions?.find(({ type, status: value }) => /^(Complete|Failed)$/.test(type) && value === 'True')
      ?.type
  }
  const podOf = async (job: string) => {
    const labelSelector = `batch.kubernetes.io/job-name=${job}`
    return (await rig.direct.list(PODS, { namespace: rig.namespace, labelSelector })).items[0]
  }

  it('is Ready there', async () => {
    const { status } = await rig.direct.get(NODES, { name })
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True')
  })

  it('brings a Job with an init container to Complete', async () => {
    await runJob('good', 'true', { initContainers: [{ ...script('first', 'true'), image: 'here' }] })
    await until('the Job is complete', async () => (await condition('good')) === 'Complete')
  })

  it('brings a Job to Failed with the exit code in the status of its pod', async () => {
    await runJob('bad', 'exit 3')
    await until('the Job has failed', async () => (await condition('bad')) === 'Failed')
    assert.equal((await podOf('bad'))?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 3)
  })

  it('fails a pod with the service account that the API server mounts, with the reason and one Event', async () => {
    await runJob('mounted', 'true', { automountServiceAccountToken: true })
    await until('the job has failed', async () => (await condition('mounted')) === 'Failed')
    const { namespace } = rig
    const { items } = await rig.direct.list(PODS, { namespace, labelSelector: 'job-name=mounted' })
    const terminated = items[0]?.status?.containerStatuses?.[0]?.state?.terminated
    assert.equal(terminated?.reason, 'StartError')
    assert.match(terminated?.message ?? '', /this kind of volume is not supported/)
    const told = async (): Promise<readonly unknown[]> =>
      (await rig.direct.list(EVENTS, { namespace })).items
        .filter(({ involvedObject }) => involvedObject.uid === items[0]?.metadata.uid)
        .map(({ type, reason, message, count }) => [type, reason, message, count])
    await until('there is an Event', async () => (await told()).length > 0)
    assert.deepEqual(await told(), [['Warning', 'Failed', `Error: ${terminated?.message}`, 1]])
  })

  it('ends a pod that is deleted while it runs, and the controller counts it as failed', async () => {
    await runJob('long', 'sleep 300')
    await until('its pod runs', async () => (await podOf('long'))?.status?.phase === 'Running')
    await rig.direct.delete(PODS, { namespace: rig.namespace, name: (await podOf('long'))?.metadata.name ?? '' })
    await until('the Job has failed', async () => (await condition('long')) === 'Failed')
    await until('the pod is gone', async () => (await podOf('long')) === undefined)
  })

  async function createPod(
    pod: string,
    text: string,
    { spec = {} }: { readonly spec?: Partial<PodSpec> } = {},
  ): Promise<Pod> {
    const containers = [{ ...script('main', text), image: 'here' }]
    const full = { restartPolicy: 'Never' as const, automountServiceAccountToken: false, ...spec, containers }
    return rig.direct.create(PODS, { metadata: { name: pod, namespace: rig.namespace }, spec: full })
  }
  const getPod = (pod: string): Promise<Pod> => rig.direct.get(PODS, { namespace: rig.namespace, name: pod })
  const isRunning = async (pod: string): Promise<boolean> => (await getPod(pod)).status?.phase === 'Running'
  const selecting = (host: string) => ({ nodeSelector: { 'kubernetes.io/hostname': host } })

  it('and one of another name do not touch each other, and each takes itself away at its stop', async () => {
    const other = `${name}-b`
    const there = await start({ name: other, dir: join(root, 'other') })
    others.push(there)
    const wait = `until [ -e ${root}/gate ]; do sleep 0.05; done`
    await createPod('here', wait, { spec: selecting(name) })
    await createPod('there', wait, { spec: selecting(other) })
    await until('both run', async () => (await isRunning('here')) && (await isRunning('there')))
    assert.deepEqual([(await getPod('here')).spec.nodeName, (await getPod('there')).spec.nodeName], [name, other])
    others.pop()
    await there.stop({ endPods: true })
    assert.equal(await rig.direct.find(NODES, { name: other }), undefined)
    assert.equal(await rig.direct.find(LEASES, { namespace: LEASE_NAMESPACE, name: other }), undefined)
    assert.ok(await isRunning('here'))
    await writeFile(join(root, 'gate'), '')
    await until('the other goes on to its end', async () => (await getPod('here')).status?.phase === 'Succeeded')
  })

  it('stays registered at a stop while a pod goes on, and finds it again', async () => {
    await createPod('long', `until [ -e ${root}/last ]; do sleep 0.05; done`, { spec: selecting(name) })
    await until('it runs', () => isRunning('long'))
    await node?.stop()
    assert.notEqual(await rig.direct.find(NODES, { name }), undefined)
    node = await start({})
    await writeFile(join(root, 'last'), '')
    await until('it ends', async () => (await getPod('long')).status?.phase === 'Succeeded')
  })
})
