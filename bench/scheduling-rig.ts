/**
 * Operator and API server on the embedded control plane in this process, without a node: pods run nothing and are ended
 * by hand. So what is measured is what the control plane, the operator and the API server do, and nothing of git.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startApiServer } from '../api-server/main.ts'
import { packageFolder } from '../cli/installation.ts'
import type { Task } from '../core/crd/types.ts'
import { executionPath } from '../core/execution/layout.ts'
import { jobName, LABELS, slotName } from '../core/names.ts'
import { toTimestamp } from '../core/time.ts'
import { startControlPlane } from '../embedded/server.ts'
import type { Pod } from '../kube/builtin.ts'
import { type ApiClient, createClient } from '../kube/client.ts'
import { loadKubeConfig } from '../kube/config.ts'
import { AGENTS, JOBS, LEASES, PODS, TASKS } from '../kube/resources.ts'
import type { KubeObject, Resource } from '../kube/types.ts'
import { delay, systemClock } from '../lib/clock.ts'
import { makeLogger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { startOperator } from '../operator/main.ts'
import { text } from '../test/helpers/build.ts'

const NAMESPACE = 'default'
const AGENT = 'bench'
const WRITERS = 16

export interface SchedulingRig {
  /** Not the operator's: nothing of it is measured. */
  readonly client: ApiClient
  /** Ends what runs in the one slot. @returns milliseconds from the release of the slot to the Job of the next task */
  nextStart(): Promise<number>
}

/** Runs `use` with so many tasks of one agent queued, one of them running. */
export async function withQueue<T>(
  folder: string,
  length: number,
  use: (rig: SchedulingRig) => Promise<T>,
  /** Where the operator measures itself. */
  metrics?: Metrics,
): Promise<T> {
  const logger = makeLogger('silent')
  const volumeRoot = join(folder, 'volume')
  await mkdir(volumeRoot, { recursive: true })
  const common = { clock: systemClock, logger, randomBytes }
  const storeDir = join(folder, 'store')
  const server = await startControlPlane({ ...common, storeDir, crds: await readCrds(), host: '127.0.0.1', port: 0 })
  const config = await loadKubeConfig({ kind: 'content', content: server.kubeconfig })
  const connect = (name: string): ApiClient =>
    createClient(config, { userAgent: name, fieldManager: name, requestTimeoutMs: 60_000 })
  const [client, own] = [connect('bench'), connect('operator')]
  const starts = watchStarts(own)
  await seed(client, length, folder)
  const operator = await startOperator({
    ...common,
    client: starts.client,
    namespaces: [NAMESPACE],
    identity: 'bench',
    volumeRoot,
    volumeClaim: 'bench',
    credentialsRoot: join(folder, 'credentials'),
    runnerCommand: ['none'],
    image: 'none',
    installation: { isolation: 'none', allowUnsandboxed: false, embedded: true },
    random: Math.random,
    leaderElection: false,
    metrics,
  })
  const api = await startApiServer({
    ...common,
    ...API,
    client: own,
    namespace: NAMESPACE,
    volumeRoot,
    workspaceRoot: folder,
  })
  try {
    await starts.first
    const nextStart = async (): Promise<number> => {
      const started = starts.next()
      await endRunning(client, volumeRoot)
      return started
    }
    return await use({ client, nextStart })
  } finally {
    await api.stop()
    await operator.stop()
    await Promise.all([client.close(), own.close()])
    await server.stop()
  }
}

const API = {
  host: '127.0.0.1',
  port: 0,
  insecure: false,
  apiDocsFolder: '/',
  uiFolder: '/',
  version: { version: 'bench', commit: '', built_at: '' },
  embedded: true,
} as const

/** The operator's client, and the time between its release of the slot and the next Job that it makes. */
function watchStarts(own: ApiClient) {
  let freeAt = Number.NaN
  let waiting: ((gapMs: number) => void)[] = []
  const next = (): Promise<number> => new Promise((resolve) => waiting.push(resolve))
  const client: ApiClient = {
    ...own,
    async replace<T extends KubeObject>(resource: Resource<T>, object: T) {
      const replaced = await own.replace(resource, object)
      const { name } = object.metadata
      const isFree = 'spec' in replaced && JSON.stringify(replaced.spec).includes('"holderIdentity":""')
      if (resource.plural === LEASES.plural && name === slotName(AGENT, 1) && isFree) freeAt = performance.now()
      return replaced
    },
    async create<T extends KubeObject>(resource: Resource<T>, object: T) {
      const created = await own.create(resource, object)
      if (resource.plural !== JOBS.plural) return created
      const gapMs = performance.now() - freeAt
      for (const resolve of waiting.splice(0)) resolve(gapMs)
      return created
    },
    close: () => Promise.resolve(),
  }
  const first = next()
  return { client, first, next }
}

/** As the runner and the kubelet would: a result on the volume, and a pod that has succeeded. */
async function endRunning(client: ApiClient, volumeRoot: string): Promise<void> {
  const lease = await client.get(LEASES, { namespace: NAMESPACE, name: slotName(AGENT, 1) })
  const execution = lease.spec?.holderIdentity ?? ''
  const at = toTimestamp(systemClock.now())
  const times = { startedAt: at, finishedAt: at }
  const result = {
    schemaVersion: 1,
    execution,
    jobNumber: 1,
    outcome: 'succeeded',
    step: 'deliver',
    pushed: true,
    ...times,
  }
  await writeFile(join(volumeRoot, executionPath(execution), 'result.json'), JSON.stringify(result))
  const pod = await findPod(client, execution)
  await client.replaceStatus(PODS, { ...pod, status: { ...pod.status, phase: 'Succeeded' } })
}

async function findPod(client: ApiClient, execution: string): Promise<Pod> {
  const query = { namespace: NAMESPACE, labelSelector: `${LABELS.execution}=${execution}` }
  for (;;) {
    const [pod] = (await client.list(PODS, query)).items
    if (pod !== undefined) return pod
    await delay(systemClock, 5, new AbortController().signal)
    if ((await client.find(JOBS, { namespace: NAMESPACE, name: jobName(execution, 1) })) === undefined)
      throw new Error(`${execution} has no Job`)
  }
}

/** Tasks that have been told already why they wait, as those of a queue that has stood for a while. */
async function seed(client: ApiClient, count: number, folder: string): Promise<void> {
  const metadata = { name: AGENT, namespace: NAMESPACE }
  await client.create(AGENTS, { apiVersion: API_VERSION, kind: 'Agent', metadata, spec: { adapter: 'script' } })
  let next = 0
  const writer = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const task = makeQueuedTask(n, folder)
      const { metadata: stored } = await client.create(TASKS, task)
      await client.mergePatch(TASKS, stored, { status: task.status }, { subresource: 'status' })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

const API_VERSION = 'slipway.dev/v1alpha1'

/** The `n`-th of the queue. */
export function makeQueuedTask(n: number, repositoryUrl: string): Task {
  const queuedAt = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
  const message = text(`waits for a slot of agent ${AGENT}`)
  const condition = { type: 'Reconciling', status: 'True', reason: 'WaitingForAgent', message } as const
  return {
    apiVersion: API_VERSION,
    kind: 'Task',
    metadata: { name: `queued-${String(n).padStart(6, '0')}`, namespace: NAMESPACE },
    spec: { title: `Queued task ${n}`, repositoryUrl, agent: { type: AGENT, instructions: 'true' } },
    status: {
      state: 'QUEUED',
      queuedAt,
      agent: { type: AGENT, chosenBy: 'Request' },
      waitingFor: message,
      conditions: [{ ...condition, lastTransitionTime: queuedAt }],
    },
  }
}

async function readCrds(): Promise<unknown[]> {
  const folder = join(packageFolder(), 'crds')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'))
  return Promise.all(files.map(async (file): Promise<unknown> => parse(await readFile(join(folder, file), 'utf8'))))
}
