/** The operator on a Kubernetes in memory, with a stand-in for Job controller, kubelet and runner. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Installation } from '../../core/agent/availability.ts'
import { environmentImage } from '../../core/environment/choose.ts'
import type { ExecutionStatus, Task } from '../../core/crd/types.ts'
import type { Given } from '../../core/execution/given.ts'
import { agentOutputPath, clonePath, executionPath, givenFile } from '../../core/execution/layout.ts'
import type { AgentOutcome, ExecutionResult } from '../../core/execution/result.ts'
import { type PrepareReport, toPrepareMessage } from '../../core/execution/termination.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Job } from '../../kube/builtin.ts'
import {
  AGENTS,
  EPICS,
  EXECUTIONS,
  JOBS,
  LEASES,
  PODS,
  PROJECTS,
  STORIES,
  STORY_EVENTS,
  TASKS,
} from '../../kube/resources.ts'
import { toChanges } from '../../kube/cache.ts'
import type { ChangeHandler } from '../../kube/informer.ts'
import { followScheduling } from '../../kube/scheduling.ts'
import { type KubeObject, type Resource, isConflict } from '../../kube/types.ts'
import { makeLogger } from '../../lib/log.ts'
import type { EventRecord } from '../../operator/action.ts'
import {
  type OperatorContext,
  type View,
  type Views,
  EXECUTION_INDEXES,
  SLOT_INDEXES,
  STORY_EVENT_INDEXES,
  STORY_INDEXES,
  TASK_INDEXES,
  WORKLOAD_INDEXES,
} from '../../operator/context.ts'
import { findDueJobs, followEndedJobs, removeEndedJob } from '../../operator/execution/kept-jobs.ts'
import { createInboxes } from '../../operator/inbox.ts'
import { syncProject } from '../../operator/project/controller.ts'
import { syncQuery } from '../../operator/query/controller.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { finishRemovals, listFolders, sweepFolder } from '../../operator/sweep.ts'
import { createVolumeGate } from '../../operator/volume-work.ts'
import { aPod, aTask, NAMESPACE } from '../helpers/build.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { type MemoryKube, memoryKube } from '../helpers/memory-kube.ts'

export interface World {
  readonly kube: MemoryKube
  readonly clock: ManualClock
  readonly context: OperatorContext
  readonly events: EventRecord[]
  readonly volumeRoot: string
  /** Puts a task there, as a person would. */
  given(parts: Parameters<typeof aTask>[0]): void
  /** Gives a task annotations in place of those that it has. */
  annotate(name: string, annotations: Readonly<Record<string, string>>): void
  task(name?: string): Task
  execution(name: string): ExecutionStatus | undefined
  job(name: string): Job | undefined
  holderOf(slot: string): string | undefined
  /** Lets the operator look at tasks until nothing changes; lost races are decided anew, as the work queue does. */
  sync(...names: string[]): Promise<void>
  /** Lets it look at one query or delivery. */
  syncQuery(name: string): Promise<void>
  /** Lets it look at one project. */
  syncProject(name: string): Promise<void>
  /** Lets it look at every folder of the volume. */
  sweep(): Promise<void>
  /** Ends the run of a Job as the runner would: result.json, Pod, Job. */
  endJob(name: string, end?: JobEnd): Promise<void>
  close(): Promise<void>
}

export interface JobEnd {
  readonly result?: Partial<ExecutionResult> | 'none'
  readonly outcome?: Partial<AgentOutcome>
  /** Prepare ends so, having told this, and nothing else runs. */
  readonly prepare?: { readonly exitCode: number; readonly report: PrepareReport }
  /** Leaves the Job without its condition, as between the Pod's end and the Job controller's next look. */
  readonly jobLags?: boolean
}

/** How the operator sees the store. Default: always as it is. */
export type MakeViews = (kube: MemoryKube) => Views

export interface WorldOptions {
  readonly makeViews?: MakeViews
  readonly allowUnsandboxed?: boolean
  readonly admissionPolicies?: boolean
  readonly fourEyes?: boolean
  /** Default: pods run on this machine. */
  readonly embedded?: boolean
  /** Default: plain processes, for which nothing is prepared. */
  readonly isolation?: Installation['isolation']
}

export async function openWorld({
  makeViews = directViews,
  allowUnsandboxed = false,
  admissionPolicies = false,
  fourEyes = false,
  embedded = true,
  isolation = 'none',
}: WorldOptions = {}): Promise<World> {
  const kube = memoryKube()
  const clock = manualClock()
  const events: EventRecord[] = []
  const volumeRoot = await mkdtemp(join(tmpdir(), 'slipway-operator-'))
  const installation = { isolation, allowUnsandboxed, embedded }
  const made = makeContext(kube, makeViews(kube), { clock, volumeRoot, events, installation })
  const context = { ...made, admissionPolicies, fourEyes, installation, settings: { ...made.settings, embedded } }
  const { ended } = followEndedJobs(context.views)
  const world: World = {
    kube,
    clock,
    context,
    events,
    volumeRoot,
    given: (parts) => void kube.put(TASKS, aTask(parts)),
    annotate(name, annotations) {
      const task = world.task(name)
      kube.put(TASKS, { ...task, metadata: { ...task.metadata, annotations } })
    },
    task: (name = 'task-a') => {
      const found = kube.all(TASKS).find(({ metadata }) => metadata.name === name)
      if (found === undefined) throw new Error(`no task ${name}`)
      return found
    },
    execution: (name) => kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === name)?.status,
    job: (name) => kube.all(JOBS).find(({ metadata }) => metadata.name === name),
    holderOf: (slot) =>
      kube.all(LEASES).find(({ metadata }) => metadata.name === slot)?.spec?.holderIdentity || undefined,
    async sync(...names) {
      const all = names.length > 0 ? names : kube.all(TASKS).map(({ metadata }) => metadata.name)
      for (let round = 0, moved = true; moved && round < 50; round++) {
        const before = stateOf(kube)
        for (const name of all) await syncOnce(context, name)
        if (isolation !== 'none') for (const { metadata } of kube.all(PROJECTS)) await world.syncProject(metadata.name)
        for (const { metadata } of kube.all(EXECUTIONS)) await world.syncQuery(metadata.name)
        for (const job of findDueJobs(context, ended)) await removeEndedJob(context, ended, job)
        moved = stateOf(kube) !== before
      }
    },
    async syncQuery(name) {
      await syncQuery(context, { namespace: NAMESPACE, name })
    },
    async syncProject(name) {
      await syncProject(context, { namespace: NAMESPACE, name })
    },
    async sweep() {
      await finishRemovals(volumeRoot)
      for (const folder of await listFolders(volumeRoot)) {
        await sweepFolder({ served: [{ namespace: NAMESPACE, context }] }, folder)
      }
    },
    endJob: (name, end = {}) => endJob(world, name, end),
    // Again: what an operator had begun to write when it was stopped may still come.
    close: () => rm(volumeRoot, { recursive: true, force: true, maxRetries: 5 }),
  }
  return world
}

function makeContext(
  kube: MemoryKube,
  views: Views,
  {
    clock,
    volumeRoot,
    events,
    installation,
  }: Pick<World, 'clock' | 'volumeRoot' | 'events'> & { readonly installation: Installation },
): OperatorContext {
  const volume = createVolumeGate({ clock, logger: makeLogger('silent') })
  return {
    client: kube,
    clock,
    volume,
    onVolume: (piece, work) => volume.run(piece, work),
    inboxes: createInboxes(clock),
    logger: makeLogger('silent'),
    events: { record: (regarding, note) => void events.push({ regarding, ...note }) },
    installation,
    admissionPolicies: false,
    uncleared: new Map(),
    settings: {
      volumeRoot,
      volumeClaim: 'slipway',
      credentialsRoot: '/credentials',
      runnerCommand: ['runner'],
      image: 'slipway:test',
      embedded: true,
      pods: {},
    },
    views,
    scheduling: followScheduling(views, environmentImage(installation, 'slipway:test')),
  }
}

function directViews(kube: MemoryKube): Views {
  return {
    tasks: viewOf(kube, TASKS, TASK_INDEXES),
    executions: viewOf(kube, EXECUTIONS, EXECUTION_INDEXES),
    agents: viewOf(kube, AGENTS, {}),
    projects: viewOf(kube, PROJECTS, {}),
    stories: viewOf(kube, STORIES, STORY_INDEXES),
    storyEvents: viewOf(kube, STORY_EVENTS, STORY_EVENT_INDEXES),
    epics: viewOf(kube, EPICS, {}),
    jobs: viewOf(kube, JOBS, WORKLOAD_INDEXES),
    pods: viewOf(kube, PODS, WORKLOAD_INDEXES),
    leases: viewOf(kube, LEASES, SLOT_INDEXES),
  }
}

function viewOf<T extends KubeObject>(
  kube: MemoryKube,
  resource: Resource<T>,
  indexes: Readonly<Record<string, (object: T) => readonly string[]>>,
): View<T> {
  const list = (namespace?: string) =>
    kube.all(resource).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
  return {
    resource,
    list,
    get: ({ namespace, name }) => list(namespace).find(({ metadata }) => metadata.name === name),
    byIndex: (index, value) => list().filter((object) => indexes[index]?.(object).includes(value) === true),
    observe: () => undefined,
    observeDeleted: () => undefined,
    onChange: (handler) => changesOf(kube, resource, handler),
  }
}

/** Tells of what is there, and of every change from now on, as an informer does. */
function changesOf<T extends KubeObject>(
  kube: MemoryKube,
  resource: Resource<T>,
  handler: ChangeHandler<T>,
): () => void {
  const known = new Map<string, T>()
  const tell = (object: T | undefined, name: string): void => {
    const previous = known.get(name)
    if (object === undefined) known.delete(name)
    else known.set(name, object)
    for (const change of toChanges(previous, object)) handler(change)
  }
  for (const object of kube.all(resource)) tell(object, object.metadata.name)
  const before = kube.onStored
  kube.onStored = (type, plural, object) => {
    before(type, plural, object)
    const { name, namespace } = object.metadata
    if (plural !== resource.plural || namespace !== NAMESPACE) return
    tell(type === 'delete' ? undefined : kube.all(resource).find(({ metadata }) => metadata.name === name), name)
  }
  return () => undefined
}

/** A lost race is decided anew, as the work queue does. */
export async function syncOnce(context: OperatorContext, name: string): Promise<void> {
  try {
    await syncTask(context, { namespace: NAMESPACE, name })
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

function stateOf(kube: MemoryKube): string {
  const kinds: Resource<KubeObject>[] = [TASKS, EXECUTIONS, AGENTS, JOBS, LEASES, PROJECTS]
  return kinds
    .flatMap((kind) => kube.all(kind).map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`))
    .join()
}

/** What the runner was told by the Job. */
export function runSpecOf(job: Job | undefined): RunSpec {
  const env = job?.spec.template.spec.containers[0]?.env ?? []
  return JSON.parse(env.find(({ name }) => name === 'SLIPWAY_RUN')?.value ?? '{}') as RunSpec
}

/** What its Job has an execution's agent read. */
export async function readGiven(world: World, execution: string): Promise<Given> {
  const { given = '' } = runSpecOf(world.job(`${execution}-run`))
  return JSON.parse(await readFile(join(world.volumeRoot, executionPath(execution), givenFile(given)), 'utf8')) as Given
}

async function endJob(world: World, name: string, { result, outcome, jobLags, prepare }: JobEnd): Promise<void> {
  const job = world.job(name)
  if (job === undefined) throw new Error(`no job ${name}`)
  const { execution, jobNumber, task, sandbox = task } = runSpecOf(job)
  const at = world.clock.now().toISOString()
  const base = { schemaVersion: 1, execution, jobNumber, outcome: 'succeeded', startedAt: at, finishedAt: at } as const
  const folder = join(world.volumeRoot, executionPath(execution))
  await mkdir(join(world.volumeRoot, clonePath(sandbox), '.git'), { recursive: true })
  await mkdir(join(world.volumeRoot, agentOutputPath(execution)), { recursive: true })
  const found: AgentOutcome = { ...base, ...outcome }
  if (outcome !== undefined) await writeFile(join(folder, 'agent/outcome.json'), JSON.stringify(found))
  if (prepare !== undefined) return endPrepare(world, name, prepare)
  const written = { ...base, step: 'deliver', pushed: true, ...(result === 'none' ? {} : result) } as const
  if (result !== 'none') await writeFile(join(folder, 'result.json'), JSON.stringify(written))
  const isGood = result !== 'none' && (written.outcome === 'succeeded' || written.outcome === 'blocked')
  world.kube.put(PODS, aPod({ job: name, status: { phase: isGood ? 'Succeeded' : 'Failed' } }))
  const condition = { type: isGood ? 'Complete' : 'Failed', status: 'True' } as const
  if (jobLags !== true) world.kube.put(JOBS, { ...job, status: { conditions: [condition] } })
}

function endPrepare(world: World, name: string, { exitCode, report }: NonNullable<JobEnd['prepare']>): void {
  const at = world.clock.now().toISOString()
  const terminated = { exitCode, startedAt: at, finishedAt: at, message: toPrepareMessage(report) }
  const initContainerStatuses = [
    { name: 'prepare', image: '', imageID: '', ready: false, restartCount: 0, state: { terminated } },
  ]
  world.kube.put(PODS, aPod({ job: name, status: { phase: 'Failed', initContainerStatuses } }))
  const job = world.job(name)
  if (job !== undefined) world.kube.put(JOBS, { ...job, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
}
