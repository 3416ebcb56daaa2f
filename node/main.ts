import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { openElapsed } from '../lib/elapsed.ts'
import type { Logger } from '../lib/log.ts'
import { createEventRecorder } from '../kube/events.ts'
import { keepBinding } from './bind.ts'
import type { NodeClient, NodeContext } from './context.ts'
import { type LogServer, serveLogs } from './logs.ts'
import { type PodSet, createPodSet } from './pods.ts'
import { type Presence, createPresence } from './presence.ts'
import { nodeLabels } from './register.ts'
import { writeRuntimeFiles } from './runtime-files.ts'
import { ownCertificate } from './serving-certificate.ts'
import { watchPods } from './watch-pods.ts'

export interface NodeOptions {
  readonly client: NodeClient
  /** Name of the Node object, and what `spec.nodeName` of our pods says. No other node of this API may have it. */
  readonly name: string
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
  const presence = createPresence(options)
  const logs = await openLogs(options, presence)
  try {
    await presence.appear(logs.port)
  } catch (error) {
    await logs.close()
    throw error
  }
  const stopping = new AbortController()
  const pods = createPodSet(context)
  const running = run(options, presence, pods, stopping.signal)
  const end = async (isGone: boolean): Promise<void> => {
    stopping.abort()
    await running
    await pods.stop(isGone)
    await events.flush()
  }
  try {
    if (await presence.pods.synced) await pods.clearStrangers()
  } catch (error) {
    await end(false)
    await logs.close()
    throw error
  }
  return {
    async stop({ endPods = false } = {}) {
      await end(endPods)
      await leave(options, presence, pods)
      await logs.close()
    },
  }
}

function openLogs(options: NodeOptions, { pods }: Presence): Promise<LogServer> {
  return serveLogs({
    ...options,
    certificate: ownCertificate(options),
    readers: options.logReaders,
    findPod: (namespace, name) => pods.get({ namespace, name }),
  })
}

async function prepare(options: NodeOptions): Promise<Omit<NodeContext, 'events'>> {
  await writeRuntimeFiles(options)
  const hiddenPaths = await Promise.all((options.hiddenPaths ?? []).map((path) => realpath(path)))
  const elapsed = openElapsed({ ...options, file: join(options.dir, 'clock.json') })
  return { ...options, elapsed, hiddenPaths, path: options.path ?? process.env['PATH'] ?? DEFAULT_PATH }
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Until `signal` aborts: our pods to their workers, free pods to us, the Lease renewed. */
async function run(options: NodeOptions, presence: Presence, pods: PodSet, signal: AbortSignal): Promise<void> {
  presence.pods.onChange((change) => {
    if (change.type === 'delete') pods.forget(change.previous.metadata.uid ?? '')
    else pods.set(change.object)
  })
  const unscheduled = watchPods(options, { fieldSelector: 'spec.nodeName=' })
  await Promise.all([
    presence.pods.run(signal),
    presence.stay(signal),
    unscheduled.run(signal),
    keepBinding(options, unscheduled, nodeLabels(options), signal),
  ])
}

/** Pods that go on running need the Node object: without it controllers would remove them. */
async function leave({ logger, name }: NodeOptions, presence: Presence, pods: PodSet): Promise<void> {
  const unfinished = pods.countUnfinished()
  if (unfinished === 0) await presence.leave()
  else logger.info({ node: name, pods: unfinished }, 'the node stays registered for pods that go on')
}
