/** Our node in place of a kubelet, on the kube-apiserver and controllers that KUBECONFIG names. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JOBS, LEASES, NODES, PODS, SERVICE_ACCOUNTS } from '../../kube/resources.ts'
import type { PodSpec } from '../../kube/builtin.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import type { RunningNode } from '../../node/main.ts'
import { startNode } from '../../node/main.ts'
import { LEASE_NAMESPACE } from '../../node/register.ts'
import { until } from '../helpers/until.ts'
import { newRoot, script } from '../node/given.ts'
import type { Rig } from './kube-setup.ts'
import { setUpRig } from './kube-setup.ts'

describe('the node on a real kube-apiserver', () => {
  const name = `node-test-${randomBytes(4).toString('hex')}`
  let rig: Rig
  let root: string
  let node: RunningNode | undefined
  before(async () => {
    rig = await setUpRig()
    root = await newRoot()
    const folders = { dir: join(root, 'node'), secretsRoot: join(root, 'secrets'), claims: {}, imagePaths: [] }
    const common = { clock: systemClock, logger: makeLogger('silent'), randomBytes }
    node = await startNode({ client: rig.direct, name, runtime: 'process', ...folders, ...common })
    const account = { namespace: rig.namespace, name: 'default' }
    await until(
      'the namespace has its service account',
      async () => (await rig.direct.find(SERVICE_ACCOUNTS, account)) !== undefined,
    )
  })
  after(async () => {
    await node?.stop({ endPods: true })
    await rig.direct.delete(NODES, { name })
    await rig.direct.delete(LEASES, { namespace: LEASE_NAMESPACE, name })
    await rig.end()
    await rm(root, { recursive: true, force: true })
  })

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
    await until('the Job is complete', async () => (await condition('good')) === 'Complete', 30_000)
  })

  it('brings a Job to Failed with the exit code in the status of its pod', async () => {
    await runJob('bad', 'exit 3')
    await until('the Job has failed', async () => (await condition('bad')) === 'Failed', 30_000)
    assert.equal((await podOf('bad'))?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 3)
  })

  it('ends a pod that is deleted while it runs, and the controller counts it as failed', async () => {
    await runJob('long', 'sleep 300')
    await until('its pod runs', async () => (await podOf('long'))?.status?.phase === 'Running', 30_000)
    await rig.direct.delete(PODS, { namespace: rig.namespace, name: (await podOf('long'))?.metadata.name ?? '' })
    await until('the Job has failed', async () => (await condition('long')) === 'Failed', 30_000)
    await until('the pod is gone', async () => (await podOf('long')) === undefined, 30_000)
  })
}).timeout(60_000)
