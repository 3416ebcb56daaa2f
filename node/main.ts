import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../lib/files.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { createInformer, withoutManagedFields } from '../kube/informer.ts'
import { PODS } from '../kube/resources.ts'
import { keepBinding } from './bind.ts'
import type { NodeClient, NodeContext } from './context.ts'
import { serveLogs } from './logs.ts'
import type { PodSet } from './pods.ts'
import { createPodSet } from './pods.ts'
import type { Registration } from './register.ts'
import { RENEW_MS, registerNode, renewLease, toNode } from './register.ts'
import { SECCOMP_FILE } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { SHIM } from './shim.ts'

export interface NodeOptions {
  readonly client: NodeClient
  /** Name of the Node object, and what `spec.nodeName` of our pods says. */
  readonly name: string
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
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
}

export interface StopOptions {
  /** Ends all pods of this node first; otherwise they go on running, as when a kubelet restarts. */
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
  const context = await prepare(options)
  const pods = createPodSet(context)
  const ours = makeInformer(options, `spec.nodeName=${options.name}`)
  const token = Buffer.from(options.randomBytes(24)).toString('base64url')
  const logs = await serveLogs({ ...options, token, findPod: (namespace, name) => ours.get({ namespace, name }) })
  const registration = { name: options.name, runtime: options.runtime, logPort: logs.port, logToken: token }
  try {
    await registerNode(options.client, registration, options.clock.now())
    await renewLease(options.client, options.name, options.clock.now())
  } catch (error) {
    await logs.close()
    throw error
  }
  const stopping = new AbortController()
  const running = run(options, registration, ours, pods, stopping.signal)
  if (await ours.synced) await pods.clearStrangers()
  return {
    async stop({ endPods = false } = {}) {
      stopping.abort()
      await running
      await pods.stop(endPods)
      await logs.close()
    },
  }
}

async function prepare(options: NodeOptions): Promise<NodeContext> {
  const shim = join(options.dir, 'shim.sh')
  await mkdir(options.dir, { recursive: true, mode: 0o700 })
  await writeFileAtomic(shim, SHIM, 0o600)
  const filter = options.runtime === 'bwrap' ? seccompFilter(process.arch) : undefined
  if (filter !== undefined) await writeFileAtomic(join(options.dir, SECCOMP_FILE), filter, 0o600)
  const hiddenPaths = await Promise.all((options.hiddenPaths ?? []).map((path) => realpath(path)))
  return { ...options, hiddenPaths, shim, path: options.path ?? process.env['PATH'] ?? DEFAULT_PATH }
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

function makeInformer(options: NodeOptions, fieldSelector: string): Informer<Pod> {
  const { client, clock, logger } = options
  const random = (): number => Buffer.from(options.randomBytes(4)).readUInt32LE() / 2 ** 32
  return createInformer({
    client,
    resource: PODS,
    fieldSelector,
    transform: withoutManagedFields,
    clock,
    random,
    logger,
  })
}

/** Until `signal` aborts: our pods to their workers, free pods to us, the Lease renewed. */
async function run(
  options: NodeOptions,
  registration: Registration,
  ours: Informer<Pod>,
  pods: PodSet,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = options
  ours.onChange((change) => {
    if (change.type === 'delete') pods.forget(change.previous.metadata.uid ?? '')
    else pods.set(change.object)
  })
  const unscheduled = makeInformer(options, 'spec.nodeName=')
  const labels = toNode(registration, clock.now(), undefined).metadata.labels ?? {}
  await Promise.all([
    ours.run(signal),
    unscheduled.run(signal),
    keepBinding(options, unscheduled, labels, signal),
    keepRenewing(options, registration, signal),
  ])
}

/** Every ten seconds the Lease, every minute the Node's status as well; a failure is made up for the next time. */
async function keepRenewing(options: NodeOptions, registration: Registration, signal: AbortSignal): Promise<void> {
  const { client, clock, logger, name } = options
  for (let round = 1; ; round += 1) {
    await delay(clock, RENEW_MS, signal)
    if (signal.aborted) return
    try {
      await renewLease(client, name, clock.now())
      if (round % STATUS_ROUNDS === 0) await registerNode(client, registration, clock.now())
    } catch (error) {
      logger.warn({ error }, 'renewing the node failed')
    }
  }
}

const STATUS_ROUNDS = 6
