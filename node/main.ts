import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { openElapsed } from '../lib/elapsed.ts'
import type { Logger } from '../lib/log.ts'
import { createEventRecorder } from '../kube/events.ts'
import { keepBinding } from './bind.ts'
import type { NodeClient, NodeContext } from './context.ts'
import type { LogServer } from './logs.ts'
import { serveLogs } from './logs.ts'
import type { KnownPod, PodSet } from './pods.ts'
import { createPodSet } from './pods.ts'
import type { Presence } from './presence.ts'
import { createPresence, listBound } from './presence.ts'
import { nodeLabels } from './register.ts'
import { writeRuntimeFiles } from './runtime-files.ts'
import { ownCertificate } from './serving-certificate.ts'
import { watchPods } from './watch-pods.ts'

export interface NodeOptions {
  readonly client: NodeClient
  /** Name of the Node object, and what `spec.nodeName` of our pods says. No other node of this API may have it. */
  readonly name: string
  /** What the node of this folder was called before: its pods there are kept to their end. */
  readonly formerName?: string | undefined
  /** The authority of the API server's client certificate, in PEM, by which it may read logs; absent: nobody may. */
  readonly logReaders?: string | undefined
  /** Folder of our own: one folder per pod below it, with logs and exit codes. */
  readonly dir: string
  /** PersistentVolumeClaim name → host folder. */
  readonly claims: Readonly<Record<string, string>>
  /** Folder below which Secrets and ConfigMaps may be written for plain processes (mountPath is the host path). */
  readonly secretsRoot: string
  /** What "the image" holds: host paths that a sandbox shows read-only, besides the system's own folders. */
  readonly imagePaths: readonly string[]
  /** Host folders that no sandbox shows, though they may lie in a folder of the system. */
  readonly hiddenPaths?: readonly string[]
  readonly runtime: 'bwrap' | 'process'
  /** PATH of containers that set none; default that of this process. */
  readonly path?: string
  /** More variables of containers in a sandbox. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
}

export interface StopOptions {
  /**
   * Ends all pods of this node first; otherwise they go on running, as when a kubelet restarts, and the Node object stays
   * for them: controllers remove pods whose node is gone.
   */
  readonly endPods?: boolean
}

export interface RunningNode {
  stop(options?: StopOptions): Promise<void>
}

/**
 * Registers the node and runs the pods bound to it until `stop`. Resolves once the Node object is Ready, what an
 * earlier process left running is taken over, and what belongs to no pod any more is ended.
 *
 * @throws KubeError or a network error when the API cannot be reached; nothing is left behind then
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const events = createEventRecorder({ ...options, component: 'kubelet' })
  const context = { ...(await prepare(options)), events }
  const presences = [createPresence(options), ...(await findFormer(options))]
  const logs = await openLogs(options, presences)
  try {
    await Promise.all(presences.map((presence) => presence.appear(logs.port)))
  } catch (error) {
    await logs.close()
    throw error
  }
  const stopping = new AbortController()
  const pods = createPodSet(context)
  const running = run(options, presences, pods, stopping.signal)
  const end = async (isGone: boolean): Promise<void> => {
    stopping.abort()
    await running
    await pods.stop(isGone)
    await events.flush()
  }
  try {
    const synced = await Promise.all(presences.map((presence) => presence.pods.synced))
    if (synced.every(Boolean)) await pods.clearStrangers()
  } catch (error) {
    await end(false)
    await logs.close()
    throw error
  }
  return {
    async stop({ endPods = false } = {}) {
      await end(endPods)
      await Promise.all(presences.map((presence) => leave(options, presence, pods)))
      await logs.close()
    },
  }
}

/** The node under the name that it had before, while pods are bound to it; a Node object without any is removed. */
async function findFormer(options: NodeOptions): Promise<readonly Presence[]> {
  const { formerName: name, client } = options
  if (name === undefined) return []
  const former = createPresence({ ...options, name })
  if ((await listBound(client, name)).length > 0) return [former]
  await former.leave({ unlessUsed: true })
  return []
}

function openLogs(options: NodeOptions, presences: readonly Presence[]): Promise<LogServer> {
  return serveLogs({
    ...options,
    certificate: ownCertificate(options),
    readers: options.logReaders,
    findPod: (namespace, name) =>
      presences.map(({ pods }) => pods.get({ namespace, name })).find((pod) => pod !== undefined),
  })
}

async function prepare(options: NodeOptions): Promise<Omit<NodeContext, 'events'>> {
  await writeRuntimeFiles(options)
  const hiddenPaths = await Promise.all((options.hiddenPaths ?? []).map((path) => realpath(path)))
  const elapsed = openElapsed({ ...options, file: join(options.dir, 'clock.json') })
  return { ...options, elapsed, hiddenPaths, path: options.path ?? process.env['PATH'] ?? DEFAULT_PATH }
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Until `signal` aborts: our pods to their workers, free pods to us, the Leases renewed. */
async function run(
  options: NodeOptions,
  presences: readonly Presence[],
  pods: PodSet,
  signal: AbortSignal,
): Promise<void> {
  for (const { pods: bound } of presences) {
    bound.onChange((change) => {
      if (change.type === 'delete') pods.forget(change.previous.metadata.uid ?? '')
      else pods.set(change.object)
    })
  }
  const unscheduled = watchPods(options, { fieldSelector: 'spec.nodeName=' })
  await Promise.all([
    ...presences.flatMap((presence) => [presence.pods.run(signal), stay(options, presence, pods, signal)]),
    unscheduled.run(signal),
    keepBinding(options, unscheduled, nodeLabels(options), signal),
  ])
}

/** Under a former name only as long as there are pods of it. */
function stay(options: NodeOptions, presence: Presence, pods: PodSet, signal: AbortSignal): Promise<void> {
  const isFormer = presence.name !== options.name
  const isDone = (): boolean => isFormer && presence.pods.hasSynced() && podsOf(presence, pods).length === 0
  return presence.stay(isDone, signal)
}

/** Pods that go on running need the Node object: without it a cluster's controllers would remove them. */
async function leave(options: NodeOptions, presence: Presence, pods: PodSet): Promise<void> {
  const unfinished = podsOf(presence, pods).filter(({ isFinished }) => !isFinished).length
  if (unfinished === 0) await presence.leave({ unlessUsed: presence.name !== options.name })
  else options.logger.info({ node: presence.name, pods: unfinished }, 'the node stays registered for pods that go on')
}

function podsOf({ name }: Presence, pods: PodSet): readonly KnownPod[] {
  return pods.list().filter(({ pod }) => pod.spec.nodeName === name)
}
