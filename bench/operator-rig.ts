/**
 * The operator, as its own process, on the kube-apiserver of KUBECONFIG, in a namespace of its own. No pod runs: the bench
 * ends those that the Job controller makes, as kubelet and runner would.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, Task } from '../core/crd/types.ts'
import { stateOf } from '../core/task/decide.ts'
import { executionPath } from '../core/execution/layout.ts'
import { jobName, LABELS, MANAGED_BY } from '../core/names.ts'
import { toTimestamp } from '../core/time.ts'
import type { Job, Pod } from '../kube/builtin.ts'
import { type ApiClient, createClient } from '../kube/client.ts'
import { loadKubeConfig } from '../kube/config.ts'
import { AGENTS, EXECUTIONS, JOBS, NAMESPACES, PODS, PROJECTS, SERVICE_ACCOUNTS, TASKS } from '../kube/resources.ts'
import { type KubeObject, type Resource, isNotFound } from '../kube/types.ts'
import { systemClock } from '../lib/clock.ts'
import { applyCrds } from '../test/helpers/crd-suite.ts'
import { until } from '../test/helpers/until.ts'
import { newName } from './cluster-rig.ts'
import type { Figure } from './figure.ts'
import { withFolder } from './measure.ts'
import { type Program, SLIPWAY, startProgram } from './program.ts'

const apiVersion = 'slipway.dev/v1alpha1'
const WRITERS = 32

/** As the chart starts it. */
const CHART_ENV = { UV_THREADPOOL_SIZE: '64', MALLOC_ARENA_MAX: '2' }

export interface OperatorRig {
  readonly client: ApiClient
  readonly namespace: string
  /** Each with so many slots. */
  createAgents(names: readonly string[], maxConcurrent: number): Promise<void>
  /** @param options further flags of the command */
  startOperator(...options: readonly string[]): Promise<Program>
  /** A task that was COMPLETED at that time, with its execution. */
  createFinished(name: string, at: Date): Promise<void>
  /** The Job and the Pod of that execution, which have ended, too. */
  createEndedJob(task: string, at: Date): Promise<void>
  createTask(name: string, agent: string, priority?: number, project?: string): Promise<void>
  /** With one check, whose step is called check-test. */
  createCheckedProject(name: string): Promise<void>
  /** As the kubelet does when that step runs; resolves when the execution's record says so. */
  runCheck(pod: Pod): Promise<void>
  /** When, by performance.now(), a task was seen first that waits no more for being queued, its Job, its READY. */
  queuedSeen(task: string): Promise<number>
  jobSeen(task: string): Promise<number>
  podSeen(task: string): Promise<Pod>
  readySeen(task: string): Promise<number>
  /** The same of a Job by its own name. */
  completeSeen(job: string): Promise<number>
  /** As runner and kubelet do: a result on the volume, and a pod that has succeeded. */
  endPod(pod: Pod): Promise<void>
  /** From now on each pod is ended as soon as it is there. */
  endAllPods(): void
}

/** Measures on the cluster that KUBECONFIG names; no figures where it names none, and a line that says so for `group`. */
export async function withCluster(group: string, use: (client: ApiClient) => Promise<Figure[]>): Promise<Figure[]> {
  const { KUBECONFIG: path = '' } = process.env
  if (path === '') {
    const counting = 'and SLIPWAY_AUDIT_LOG where requests are counted'
    process.stderr.write(`${group}: not measured, it needs KUBECONFIG, ${counting}\n`)
    return []
  }
  const config = await loadKubeConfig({ kind: 'file', path })
  const name = 'bench'
  const client = createClient(config, { userAgent: name, fieldManager: name, requestTimeoutMs: 60_000 })
  // The client's own clock keeps no process alive, say while it waits to ask a busy server again.
  const alive = setInterval(() => undefined, 60_000)
  try {
    return await use(client)
  } finally {
    clearInterval(alive)
    await client.close()
  }
}

/** Runs `use` in a namespace of its own, which goes afterwards. */
export async function withOperatorRig<T>(client: ApiClient, use: (rig: OperatorRig) => Promise<T>): Promise<T> {
  const namespace = newName()
  await applyCrds(client, 'default')
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  // Without it the API server refuses pods.
  const account = { namespace, name: 'default' }
  await until('the service account exists', async () => (await client.find(SERVICE_ACCOUNTS, account)) !== undefined)
  const ending = new AbortController()
  const programs: Program[] = []
  try {
    return await withFolder(async (folder) => {
      try {
        return await use(await openRig(client, namespace, folder, programs, ending.signal))
      } finally {
        try {
          // Nobody but the operator lets executions go that still run.
          await removeAll(client, TASKS, namespace)
          await removeAll(client, EXECUTIONS, namespace)
        } finally {
          for (const program of programs) await program.stop()
        }
      }
    })
  } finally {
    ending.abort()
    await client.delete(NAMESPACES, { name: namespace })
  }
}

async function removeAll(client: ApiClient, resource: Resource<KubeObject>, namespace: string): Promise<void> {
  const list = async () => (await client.list(resource, { namespace })).items
  await forEach(await list(), async ({ metadata: { name } }) => {
    try {
      await client.delete(resource, { namespace, name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  })
  await until(`no ${resource.plural} are left`, async () => (await list()).length === 0, 300_000)
}

async function openRig(
  client: ApiClient,
  namespace: string,
  folder: string,
  programs: Program[],
  signal: AbortSignal,
): Promise<OperatorRig> {
  const follow = <T extends KubeObject>(resource: Resource<T>, isWanted: (object: T) => boolean, whose: Whose<T>) =>
    followFirst({ client, namespace, resource, isWanted, whose, signal })
  const [queued, jobs, complete, pods, ready] = await Promise.all([
    follow<Task>(
      TASKS,
      (task) => stateOf(task) !== 'PENDING',
      ({ metadata }) => metadata.name,
    ),
    follow<Job>(
      JOBS,
      () => true,
      ({ metadata }) => metadata.labels?.[LABELS.task] ?? metadata.name,
    ),
    follow<Job>(
      JOBS,
      ({ status }) => status?.conditions?.some(({ type }) => type === 'Complete') === true,
      ({ metadata }) => metadata.name,
    ),
    follow<Pod>(
      PODS,
      () => true,
      // A bare Job's pods are known by its name.
      ({ metadata }) => metadata.labels?.[LABELS.task] ?? metadata.labels?.['batch.kubernetes.io/job-name'],
    ),
    follow<Task>(
      TASKS,
      (task) => stateOf(task) === 'READY',
      ({ metadata }) => metadata.name,
    ),
  ])
  const endPod = (pod: Pod): Promise<void> => endAs(client, folder, pod)
  return {
    client,
    namespace,
    createAgents: (names, maxConcurrent) =>
      forEach(names, async (name) => {
        const spec = { adapter: 'script', maxConcurrent, classifier: { enabled: false } } as const
        await client.create(AGENTS, { apiVersion, kind: 'Agent', metadata: { name, namespace }, spec })
      }),
    async startOperator(...options) {
      const where = ['--namespace', namespace, '--data-dir', folder, '--volume-root', folder]
      const kubeconfig = process.env['KUBECONFIG'] ?? ''
      const how = ['--health-listen', 'off', '--kubeconfig', kubeconfig, ...where, ...options]
      const program = await startProgram([SLIPWAY, 'operator', ...how], CHART_ENV)
      programs.push(program)
      return program
    },
    createFinished: (name, at) => createFinished(client, namespace, name, at),
    createEndedJob: (task, at) => createEndedJob(client, namespace, task, at),
    async createTask(name, agent, priority = 0, project) {
      const task = makeTask(name, namespace, agent)
      await client.create(TASKS, {
        ...task,
        spec: { ...task.spec, priority, ...(project !== undefined && { project }) },
      })
    },
    async createCheckedProject(name) {
      const spec = {
        title: name,
        remoteUrl: 'https://git.example/repository.git',
        checks: [{ name: 'test', run: 'true' }],
      }
      await client.create(PROJECTS, { apiVersion, kind: 'Project', metadata: { name, namespace }, spec })
    },
    runCheck: (pod) => runCheck(client, pod),
    queuedSeen: async (task) => (await queued.first(task)).at,
    jobSeen: async (task) => (await jobs.first(task)).at,
    podSeen: async (task) => (await pods.first(task)).object,
    readySeen: async (task) => (await ready.first(task)).at,
    completeSeen: async (job) => (await complete.first(job)).at,
    endPod,
    endAllPods: () => pods.onFirst((pod) => void endPod(pod)),
  }
}

function makeTask(name: string, namespace: string, agent: string): Task {
  const repositoryUrl = 'https://git.example/repository.git'
  const spec = { title: name, repositoryUrl, runPolicy: 'Auto', agent: { type: agent, instructions: 'true' } } as const
  return { apiVersion, kind: 'Task', metadata: { name, namespace }, spec }
}

/** A pod of no execution is a bare Job's, whose end needs no result. */
async function endAs(client: ApiClient, folder: string, pod: Pod): Promise<void> {
  const execution = pod.metadata.labels?.[LABELS.execution]
  if (execution !== undefined) await writeResult(folder, execution)
  try {
    await client.mergePatch(PODS, pod.metadata, { status: { phase: 'Succeeded' } }, { subresource: 'status' })
  } catch (error) {
    // Of a task that has ended: the operator removes old Jobs.
    if (!isNotFound(error)) throw error
  }
}

async function runCheck(client: ApiClient, pod: Pod): Promise<void> {
  const startedAt = toTimestamp(systemClock.now())
  const initContainerStatuses = (pod.spec?.initContainers ?? []).map(({ name }) => ({
    name,
    ready: false,
    restartCount: 0,
    image: '',
    imageID: '',
    state:
      name === 'check-test'
        ? { running: { startedAt } }
        : { terminated: { exitCode: 0, startedAt, finishedAt: startedAt } },
  }))
  const status = { phase: 'Running', initContainerStatuses }
  await client.mergePatch(PODS, pod.metadata, { status }, { subresource: 'status' })
  const key = { namespace: pod.metadata.namespace ?? '', name: pod.metadata.labels?.[LABELS.execution] ?? '' }
  await until('the record has the check', async () => {
    return (await client.get<Execution>(EXECUTIONS, key)).status?.checks !== undefined
  })
}

async function writeResult(folder: string, execution: string): Promise<void> {
  const at = toTimestamp(systemClock.now())
  const ended = { outcome: 'succeeded', step: 'deliver', pushed: true, startedAt: at, finishedAt: at }
  const result = { schemaVersion: 1, execution, jobNumber: 1, ...ended }
  const path = join(folder, executionPath(execution))
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'result.json'), JSON.stringify(result))
}

/** Does the work for each, many at a time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const writer = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

type Whose<T> = (object: T) => string | undefined

interface Followed<T extends KubeObject> {
  readonly client: ApiClient
  readonly namespace: string
  readonly resource: Resource<T>
  readonly isWanted: (object: T) => boolean
  readonly whose: Whose<T>
  readonly signal: AbortSignal
}

interface Sighting<T> {
  readonly object: T
  readonly at: number
}

/** Watches a kind, and notes for each name when an object of it was seen first that is wanted. */
async function followFirst<T extends KubeObject>(followed: Followed<T>) {
  const { client, namespace, resource, isWanted, whose, signal } = followed
  const seen = new Map<string, Sighting<T>>()
  const waiting = new Map<string, (sighting: Sighting<T>) => void>()
  let hear: (object: T) => void = () => undefined
  const note = (object: T): void => {
    const name = whose(object)
    if (name === undefined || seen.has(name) || !isWanted(object)) return
    const sighting = { object, at: performance.now() }
    seen.set(name, sighting)
    waiting.get(name)?.(sighting)
    hear(object)
  }
  const { resourceVersion } = await client.list(resource, { namespace, limit: 1 })
  void (async () => {
    let from = resourceVersion
    while (!signal.aborted) {
      for await (const event of client.watch(resource, { namespace, resourceVersion: from }, signal)) {
        if (event.type === 'BOOKMARK') continue
        from = event.object.metadata.resourceVersion ?? from
        if (event.type !== 'DELETED') note(event.object)
      }
    }
  })()
  return {
    first: (name: string): Promise<Sighting<T>> => {
      const sighting = seen.get(name)
      return sighting === undefined ? new Promise((resolve) => waiting.set(name, resolve)) : Promise.resolve(sighting)
    },
    onFirst(handler: (object: T) => void): void {
      hear = handler
      for (const { object } of seen.values()) handler(object)
    },
  }
}

/** As REST makes it, and as the operator leaves it. */
async function createFinished(client: ApiClient, namespace: string, name: string, finishedAt: Date): Promise<void> {
  const at = toTimestamp(finishedAt)
  const labels = { [LABELS.managedBy]: MANAGED_BY }
  const execution = `${name}-1`
  const spec = { title: name, agent: { type: 'one', instructions: 'true' } } as const
  const { metadata } = await client.create(TASKS, {
    apiVersion,
    kind: 'Task',
    metadata: { name, namespace, labels },
    spec,
  })
  const times = { startedAt: at, finishedAt: at }
  const status = { state: 'COMPLETED', executions: 1, attempts: 1, execution, queuedAt: at, ...times } as const
  const observed = { observedGeneration: 1, agent: { type: 'one', chosenBy: 'Spec' } } as const
  await client.mergePatch(TASKS, metadata, { status: { ...status, ...observed } }, { subresource: 'status' })
  const { metadata: made } = await client.create(EXECUTIONS, {
    apiVersion,
    kind: 'Execution',
    metadata: {
      name: execution,
      namespace,
      labels,
      ownerReferences: [{ apiVersion, kind: 'Task', name, uid: metadata.uid ?? '', controller: true }],
    },
    spec: { taskRef: { name }, agent: 'one', attempt: 1, purpose: 'Run' },
  })
  const ended = { state: 'COMPLETED', jobs: 1, ...times, summary: 'What was done. '.repeat(40) } as const
  await client.mergePatch(EXECUTIONS, made, { status: ended }, { subresource: 'status' })
}

/** As the Job controller leaves them; it is told to leave this Job alone, so that it makes no pod of its own. */
async function createEndedJob(client: ApiClient, namespace: string, task: string, endedAt: Date): Promise<void> {
  const at = toTimestamp(endedAt)
  const execution = `${task}-1`
  const owner = await client.get(EXECUTIONS, { namespace, name: execution })
  const labels = {
    [LABELS.task]: task,
    [LABELS.execution]: execution,
    [LABELS.agent]: 'one',
    [LABELS.managedBy]: MANAGED_BY,
  }
  const ownedBy = (apiVersion: string, kind: string, { metadata: { name, uid = '' } }: KubeObject) => [
    { apiVersion, kind, name, uid, controller: true },
  ]
  const mounts = [`sandboxes/${task}`, executionPath(execution)].map((subPath) => ({
    name: 'data',
    mountPath: `/slipway/${subPath}`,
    subPath,
  }))
  const spec = {
    containers: [{ name: 'deliver', image: 'none', volumeMounts: mounts }],
    volumes: [{ name: 'data', emptyDir: {} }],
    restartPolicy: 'Never',
  } as const
  const unmanaged = { managedBy: 'bench.slipway.dev/nobody', template: { metadata: { labels }, spec } }
  const job = await client.create(JOBS, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(execution, 1),
      namespace,
      labels,
      ownerReferences: ownedBy(apiVersion, 'Execution', owner),
    },
    spec: unmanaged,
  })
  const isTrue = (type: string) => ({
    type,
    status: 'True',
    reason: 'CompletionsReached',
    message: '',
    lastTransitionTime: at,
  })
  const conditions = [isTrue('SuccessCriteriaMet'), isTrue('Complete')]
  const ended = { conditions, succeeded: 1, startTime: at, completionTime: at }
  await client.mergePatch(JOBS, job.metadata, { status: ended }, { subresource: 'status' })
  const ownerReferences = ownedBy('batch/v1', 'Job', job)
  const pod = await client.create(PODS, {
    metadata: { name: `${job.metadata.name}-a`, namespace, labels, ownerReferences },
    spec,
  })
  await client.mergePatch(PODS, pod.metadata, { status: { phase: 'Succeeded' } }, { subresource: 'status' })
}
