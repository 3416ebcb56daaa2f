/**
 * Starts the operator and stops it in order.
 *
 * Caches fill before leadership is sought, so that who takes over acts at once; only the leader decides and writes. On
 * a stop, steps that have begun are finished, Jobs go on running, and the Lease is given back for the next one.
 */
import { setMaxListeners } from 'node:events'
import { createTrackRecords } from '../core/agent/track-record.ts'
import { environmentImage } from '../core/environment/choose.ts'
import type { ExecutionPods } from '../core/execution/pod-settings.ts'
import { type Retention, DEFAULT_RETENTION } from '../core/task/retention.ts'
import type { RoomSettings } from '../core/task/room.ts'
import type { Controller } from '../kube/controller.ts'
import { createEventRecorder } from '../kube/events.ts'
import { runAsLeader } from '../kube/leader.ts'
import type { Informer } from '../kube/informer.ts'
import { type OutageLog, createOutageLog } from '../kube/outage.ts'
import { followScheduling } from '../kube/scheduling.ts'
import type { SharedObjects } from '../kube/shared-objects.ts'
import { type KubeObject, isForbidden } from '../kube/types.ts'
import { watchRights } from '../kube/watch-rights.ts'
import type { Metrics } from '../lib/metrics.ts'
import { openArchive } from '../lib/archive/archive.ts'
import { type PolicyWatch, watchPolicies } from './admission-policies.ts'
import { runArchiver } from './archiver.ts'
import { runCiWatch } from './ci.ts'
import { createAgentController } from './agent/controller.ts'
import { createQueryController } from './query/controller.ts'
import { untilOurs } from './belonging.ts'
import type { OperatorContext } from './context.ts'
import type { JobSettings } from './execution/job-input.ts'
import { runJobKeeper } from './execution/kept-jobs.ts'
import { createEpicController } from './epic/controller.ts'
import { untilImported } from './importing.ts'
import { type Informers, type Timing, createInformers } from './informers.ts'
import { type MetricsRecorder, createMetricsRecorder } from './metrics-recorder.ts'
import { createProjectController } from './project/controller.ts'
import { runRoomKeeper } from './room.ts'
import { createStoryController } from './story/controller.ts'
import { runSweeper } from './sweeper.ts'
import { createTaskController } from './task/controller.ts'
import { createInboxes } from './inbox.ts'
import { type VolumeGate, createVolumeGate } from './volume-work.ts'

export interface OperatorOptions
  extends
    Omit<JobSettings, 'embedded' | 'pods'>,
    Pick<OperatorContext, 'client' | 'installation' | 'fourEyes' | 'gitUser' | 'gitCredentials' | 'clock' | 'logger'> {
  /** With the other caches of this process; absent: with none. */
  readonly shared?: SharedObjects | undefined
  readonly namespaces: readonly string[]
  /** Unique per process; the leader's Lease shows it. */
  readonly identity: string
  /** The chart's admission policies should be in force: the API server proves who annotates; absent: they are not. */
  readonly admissionPolicies?: boolean
  /** What the pods of all executions have in common; absent: nothing. */
  readonly pods?: ExecutionPods
  /** How long finished tasks stay in the cluster; absent: the defaults. */
  readonly retention?: Retention
  /** Environment that names proxies and certificates for requests to git hosts; absent: no host is asked for its CI. */
  readonly hostsEnv?: Readonly<Record<string, string | undefined>> | undefined
  /** What mirrors and workspaces may take of the data volume; absent: the defaults. */
  readonly room?: RoomSettings
  /** In [0, 1), as Math.random. */
  readonly random: () => number
  /** False where no second operator can exist. */
  readonly leaderElection: boolean
  /** Where it measures itself; absent: nowhere. */
  readonly metrics?: Metrics | undefined
  /** The size of Node's thread pool, which file work may not use up; absent: Node's default. */
  readonly threads?: number
  /** What file work on the data volume goes through; absent: a gate of its own. */
  readonly volume?: VolumeGate
}

export interface RunningOperator {
  /** Resolves when all caches are synced and the operator leads or stands by. */
  readonly ready: Promise<void>
  /**
   * Why it cannot do its work now, in words; undefined while all caches are synced and in touch with the server, and
   * nothing is refused that the operator has to write.
   */
  notReadyReason(): string | undefined
  /** Why it starts no task, though it is in touch with the server, in words. */
  idleReason(): string | undefined
  /** What waits for a person though all else goes on, in words. */
  heldReason(): string | undefined
  /** Finishes what has begun, leaves Jobs running, gives leadership back. */
  stop(): Promise<void>
}

/** Who holds it leads in its namespace. */
export const LEADER_LEASE = 'slipway-operator'

export async function startOperator(given: OperatorOptions): Promise<RunningOperator> {
  const { clock, logger, random } = given
  const { client, refusal } = watchRights(given.client, clock)
  const options = { ...given, client }
  const stopping = new AbortController()
  const events = createEventRecorder({ client, component: 'slipway-operator', clock, logger })
  const volume = options.volume ?? createVolumeGate(options)
  const recorder = options.metrics && createMetricsRecorder(options.metrics, clock, volume.stalled)
  const outages = createOutageLog(clock, logger)
  const timing: Timing = { clock, logger, random, outages, shared: options.shared, observe: recorder?.observe }
  const common = { events, volume }
  const scopes = options.namespaces.map((namespace) => openScope(options, namespace, timing, common))
  const policies = scopes.flatMap((scope) => scope.policies ?? [])
  for (const scope of scopes) recorder?.watch(scope)
  const all = scopes.flatMap(({ informers }) => Object.values(informers))
  // Outlives the controllers: a step that is being finished still reads the caches.
  const watching = new AbortController()
  // One listener for each cache and controller: more than the ten that Node takes for a leak.
  setMaxListeners(0, stopping.signal, watching.signal)
  const informing = Promise.all(all.map((informer) => informer.run(watching.signal)))
  const waiting: Partial<Record<'begin' | 'sweep', string | undefined>> = {}
  const note = (part: 'begin' | 'sweep') => (reason: string | undefined) => void (waiting[part] = reason)
  const working = lead({ ...options, events, outages, recorder, note }, scopes, stopping.signal)
  const ready = Promise.all(all.map(({ synced }) => synced)).then(() => undefined)
  return {
    ready,
    heldReason: () => waiting.sweep ?? policies.map((one) => one.missing()).find((text) => text !== undefined),
    idleReason: () => waiting.begin,
    notReadyReason: () => waiting.begin ?? formatRefusal(refusal()) ?? formatStaleMessage(all, clock.now()),
    async stop() {
      stopping.abort()
      await working
      await events.flush()
      watching.abort()
      await informing
    },
  }
}

type AnyInformer = Pick<Informer<KubeObject>, 'resource' | 'isStale' | 'lastError'>

function formatRefusal(message: string | undefined): string | undefined {
  return message === undefined ? undefined : `the API server refuses the operator: ${message}`
}

/** A right to watch that is missing is told at once, silence when it has lasted. */
function formatStaleMessage(all: readonly AnyInformer[], now: Date): string | undefined {
  const refused = all.map((informer) => informer.lastError()).find(isForbidden)
  if (refused !== undefined) return formatRefusal(refused.message)
  const stale = all.filter((informer) => informer.isStale(now))
  const kinds = [...new Set(stale.map(({ resource }) => resource.plural))]
  return kinds.length === 0 ? undefined : `no word from the API server about ${kinds.join(', ')}`
}

interface NamespaceScope {
  readonly namespace: string
  readonly informers: Informers
  readonly context: OperatorContext
  /** Where the installation asks for admission policies. */
  readonly policies?: PolicyWatch | undefined
  /** Anew for each term of leadership: a controller runs once. */
  readonly makeControllers: () => readonly Controller[]
}

/** Caches and controllers of one namespace; namespaces know nothing of one another. */
function openScope(
  options: OperatorOptions,
  namespace: string,
  timing: Timing,
  { events, volume }: Pick<OperatorContext, 'events' | 'volume'>,
): NamespaceScope {
  const informers = createInformers(options.client, namespace, timing)
  const { installation, gitUser, gitCredentials } = options
  const { embedded } = installation
  const {
    volumeRoot,
    volumeClaim,
    credentialsRoot,
    runnerCommand,
    image,
    branchPrefix,
    maxPushBytes,
    pods = {},
  } = options
  const scheduling = followScheduling(informers, environmentImage(installation, image))
  const trackRecords = createTrackRecords()
  informers.executions.onChange((change) => trackRecords.enter(change))
  const policies =
    options.admissionPolicies === true
      ? watchPolicies({ ...options, namespace, decided: [informers.agents, informers.tasks, informers.stories] })
      : undefined
  const context: OperatorContext = {
    client: options.client,
    views: informers,
    scheduling,
    events,
    settings: {
      volumeRoot,
      volumeClaim,
      credentialsRoot,
      runnerCommand,
      image,
      branchPrefix,
      maxPushBytes,
      embedded,
      pods,
    },
    installation,
    volume,
    onVolume: (piece, work) => volume.run(piece, work),
    inboxes: createInboxes(options.clock),
    // Read anew for each decision.
    get admissionPolicies() {
      return policies?.areInForce() ?? false
    },
    needsPolicies: options.admissionPolicies,
    fourEyes: options.fourEyes,
    trackRecords,
    gitUser,
    gitCredentials,
    uncleared: new Map(),
    clock: options.clock,
    logger: options.logger,
  }
  const how = { ...timing, reads: Object.values(informers) }
  const makeControllers = () => [
    createTaskController(context, informers, how, namespace),
    createQueryController(context, informers, how),
    createAgentController(context, informers, how),
    createStoryController(context, informers, how),
    createEpicController(context, informers, how),
    createProjectController(context, informers, how),
  ]
  return { namespace, informers, context, policies, makeControllers }
}

/** Runs the controllers, as leader where there may be others. */
async function lead(
  options: OperatorOptions & {
    readonly outages: OutageLog
    readonly recorder: MetricsRecorder | undefined
    readonly events: OperatorContext['events']
    /** Why nothing begins, or why the volume is not swept. */
    readonly note: (part: 'begin' | 'sweep') => (reason: string | undefined) => void
  },
  scopes: readonly NamespaceScope[],
  stop: AbortSignal,
): Promise<void> {
  const {
    client,
    clock,
    logger,
    random,
    identity,
    outages,
    recorder,
    note,
    retention = DEFAULT_RETENTION,
    room = {},
    hostsEnv,
  } = options
  const archive = openArchive(options.volumeRoot)
  const work = async (lost?: AbortSignal): Promise<void> => {
    const ended = lost === undefined ? stop : AbortSignal.any([stop, lost])
    // All that runs as long as this operator leads listens to it.
    setMaxListeners(0, ended)
    await untilImported(options, ended, note('begin'))
    await untilOurs(scopes, { ...options, note: note('begin') }, ended)
    if (ended.aborted) return
    const policies = scopes.flatMap((scope) => scope.policies ?? [])
    await Promise.all(policies.map((one) => one.look()))
    const controllers = scopes.flatMap(({ makeControllers }) => makeControllers())
    recorder?.lead(true)
    try {
      await Promise.all([
        ...controllers.map((controller) => controller.run(stop, lost)),
        ...policies.map((one) => one.run(ended)),
        ...scopes.map(({ context }) => runJobKeeper(context, ended)),
        runSweeper({ ...options, note: note('sweep'), served: scopes }, ended),
        runRoomKeeper({ ...options, room, served: scopes }, ended),
        ...(hostsEnv === undefined ? [] : [runCiWatch({ served: scopes, clock, logger, env: hostsEnv }, ended)]),
        runArchiver({ archive, retention, logger, recorder, served: scopes }, ended),
      ])
    } finally {
      recorder?.lead(false)
    }
  }
  if (!options.leaderElection) return work()
  const key = { namespace: options.namespaces[0], name: LEADER_LEASE }
  return runAsLeader({ client, key, identity, clock, random, logger, outages }, stop, work)
}
