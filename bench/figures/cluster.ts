import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { ANNOTATIONS, LABELS } from '../../core/names.ts'
import type { Job, Lease } from '../../kube/builtin.ts'
import type { ApiClient } from '../../kube/client.ts'
import { AGENTS, JOBS, LEASES, PODS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { findProcessesByEnvironment } from '../../lib/process.ts'
import { type TestCluster, connectCluster } from '../../test/helpers/cluster.ts'
import { type Cluster, command, findCluster, hasStarted, newName, timeUntil, withRelease } from '../cluster-rig.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, alternate, withFolder } from '../measure.ts'
import { SLIPWAY, startProgram } from '../program.ts'

const apiVersion = 'slipway.dev/v1alpha1'
const PROJECT = 'bench'
const LEADER_LEASE = 'slipway-operator'
/** Longer than the time-outs of requests and watches that a short break leaves alone. */
const OUTAGE_MS = 15_000

/** What only a cluster shows: it is measured where `test/e2e/run` or a user names one. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const cluster = await findCluster()
  if (cluster === undefined) {
    process.stderr.write('cluster: not measured, it needs KUBECONFIG and SLIPWAY_E2E_IMAGE: test/e2e/run --bench\n')
    return []
  }
  try {
    const times = size === 'quick' ? 1 : 3
    return [...(await measureRelease(cluster, times, repeats)), await measureOutage(times)]
  } finally {
    await cluster.client.close()
  }
}

async function measureRelease(cluster: Cluster, times: number, repeats: number): Promise<Figure[]> {
  const installs: number[] = []
  const bare: number[] = []
  for (let i = 1; i < times; i++) await withRelease((_, ms) => Promise.resolve(installs.push(ms)))
  return withRelease(async (namespace, ms) => {
    installs.push(ms)
    const { client, image } = cluster
    for (let i = 0; i < times; i++) bare.push(await deployBare(namespace, image))
    await createProject(client, namespace)
    const started = await alternate(
      repeats,
      () => startTask(client, namespace),
      () => startBareJob(client, namespace, image),
    )
    const handovers: number[] = []
    for (let i = 0; i < times; i++) handovers.push(await handOver(client, namespace))
    const floor = { what: 'a bare Deployment of the image', value: median(bare) }
    return [
      { name: 'helm install → all Ready', unit: 'ms', ours: median(installs), floor, aim: { atMost: 30_000 } },
      {
        name: 'task queued → first container runs',
        unit: 'ms',
        ours: started.ours,
        floor: { what: 'a bare Job of the image', value: started.floor },
        aim: { atMost: 1.3, of: 'ratio' },
      },
      {
        name: 'SIGTERM of the leading operator → next Job',
        unit: 'ms',
        ours: median(handovers),
        aim: { atMost: 1000 },
      },
      ...(await measureFailover(client, namespace)),
    ]
  })
}

/** What Pod Security asks of a pod of level restricted. */
const POD_SECURITY = { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } } as const
const SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } as const

/** One pod that listens and is asked as often as ours are. */
async function deployBare(namespace: string, image: string): Promise<number> {
  const name = newName()
  const labels = { app: name }
  const listen = ['node', '-e', 'require("http").createServer((_, response) => response.end()).listen(8080)']
  const readinessProbe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 }
  const container = { name: 'bare', image, command: listen, readinessProbe, securityContext: SECURITY }
  const template = { metadata: { labels }, spec: { securityContext: POD_SECURITY, containers: [container] } }
  const spec = { selector: { matchLabels: labels }, template }
  return withFolder(async (folder) => {
    const file = join(folder, 'deployment.json')
    await writeFile(file, JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec }))
    const startedAt = performance.now()
    await command('kubectl', '-n', namespace, 'apply', '-f', file)
    await command('kubectl', '-n', namespace, 'rollout', 'status', `deployment/${name}`)
    return performance.now() - startedAt
  })
}

async function startBareJob(client: ApiClient, namespace: string, image: string): Promise<number> {
  const name = newName()
  const containers = [{ name: 'bare', image, command: ['true'], securityContext: SECURITY }]
  const spec = { restartPolicy: 'Never', securityContext: POD_SECURITY, containers } as const
  const job: Job = { metadata: { name, namespace }, spec: { backoffLimit: 0, template: { spec } } }
  const query = { namespace, labelSelector: `job-name=${name}` }
  return timeUntil(client, PODS, query, hasStarted, () => client.create(JOBS, job))
}

async function createProject(client: ApiClient, namespace: string): Promise<void> {
  const spec = { title: PROJECT, remoteUrl: `http://git-server.${namespace}.svc/sample.git` }
  await client.create(PROJECTS, { apiVersion, kind: 'Project', metadata: { name: PROJECT, namespace }, spec })
}

/** A task that asks to be run; nothing of it can be there before. */
async function createTask(client: ApiClient, namespace: string, name: string, instructions: string): Promise<void> {
  const annotations = { [ANNOTATIONS.action]: 'run' }
  const spec = { title: name, project: PROJECT, agent: { type: 'script', instructions } }
  await client.create(TASKS, { apiVersion, kind: 'Task', metadata: { name, namespace, annotations }, spec })
}

const ofTask = (namespace: string, name: string) => ({ namespace, labelSelector: `${LABELS.task}=${name}` })

async function startTask(client: ApiClient, namespace: string): Promise<number> {
  const name = newName()
  const ms = await timeUntil(client, PODS, ofTask(namespace, name), hasStarted, () =>
    createTask(client, namespace, name, 'true'),
  )
  await untilDone(namespace, name)
  return ms
}

/** The agent's slot is free again afterwards. */
async function untilDone(namespace: string, task: string): Promise<void> {
  await command('kubectl', '-n', namespace, 'wait', `tasks.slipway.dev/${task}`, '--for=jsonpath={.status.state}=READY')
}

/** Pod of the operator that leads. */
async function findLeader(client: ApiClient, namespace: string): Promise<string> {
  const { spec } = await client.get(LEASES, { namespace, name: LEADER_LEASE })
  const [pod = ''] = (spec?.holderIdentity ?? '').split('_')
  return pod
}

/** From the delete of the leader's pod to the Job of a task that is queued once nobody leads, so that the other makes it. */
async function handOver(client: ApiClient, namespace: string): Promise<number> {
  const name = newName()
  const leader = await findLeader(client, namespace)
  const startedAt = performance.now()
  const hasLetGo = ({ metadata, spec }: Lease): boolean =>
    metadata.name === LEADER_LEASE && spec?.holderIdentity?.startsWith(leader) !== true
  await timeUntil(client, LEASES, { namespace }, hasLetGo, () => client.delete(PODS, { namespace, name: leader }))
  const create = () => createTask(client, namespace, name, 'true')
  await timeUntil(client, JOBS, ofTask(namespace, name), () => true, create)
  const ms = performance.now() - startedAt
  await untilDone(namespace, name)
  await command('kubectl', '-n', namespace, 'rollout', 'status', 'deployment/slipway-operator')
  return ms
}

/** SIGKILL needs the leader's process on this machine; elsewhere there is no such figure. */
async function measureFailover(client: ApiClient, namespace: string): Promise<Figure[]> {
  const pids = await findProcessesByEnvironment('HOSTNAME', await findLeader(client, namespace))
  if (pids.length === 0) {
    process.stderr.write('cluster: the failover is not measured, for the node is another machine\n')
    return []
  }
  const name = newName()
  const ours = await timeUntil(
    client,
    JOBS,
    ofTask(namespace, name),
    () => true,
    async () => {
      for (const pid of pids) kill(pid, 'SIGKILL')
      await createTask(client, namespace, name, 'true')
    },
  )
  return [{ name: 'SIGKILL of the leading operator → next Job', unit: 'ms', ours, aim: { atMost: 16_000 } }]
}

/** An operator on this machine loses the API server, and finds it again. */
async function measureOutage(times: number): Promise<Figure> {
  const cluster = await connectCluster()
  try {
    const namespace = await cluster.makeNamespace()
    return await withFolder(async (folder) => {
      const kubeconfig = join(folder, 'kubeconfig')
      await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 })
      const flags = [
        '--kubeconfig',
        kubeconfig,
        '--namespace',
        namespace,
        '--data-dir',
        folder,
        '--volume-root',
        folder,
      ]
      const operator = await startProgram([SLIPWAY, 'operator', '--health-listen', 'off', ...flags])
      try {
        await createAgent(cluster.direct, namespace)
        await createProject(cluster.direct, namespace)
        const outages: number[] = []
        for (let i = 0; i < times; i++) outages.push(await endOutage(cluster, namespace))
        return { name: 'kube-apiserver back → next Job', unit: 'ms', ours: median(outages), aim: { atMost: 3000 } }
      } finally {
        await operator.stop()
      }
    })
  } finally {
    await cluster.end()
  }
}

async function createAgent(client: ApiClient, namespace: string): Promise<void> {
  const spec = { adapter: 'script', maxConcurrent: 10, classifier: { enabled: false } } as const
  await client.create(AGENTS, { apiVersion, kind: 'Agent', metadata: { name: 'script', namespace }, spec })
}

async function endOutage({ direct, proxy }: TestCluster, namespace: string): Promise<number> {
  const name = newName()
  await proxy.cut()
  await createTask(direct, namespace, name, 'true')
  await setTimeout(OUTAGE_MS)
  return timeUntil(
    direct,
    JOBS,
    ofTask(namespace, name),
    () => true,
    () => proxy.resume(),
  )
}
