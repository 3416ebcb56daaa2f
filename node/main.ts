import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { KubeClient } from '../kube/types.ts'

export interface NodeOptions {
  readonly client: KubeClient
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
  readonly runtime: 'bwrap' | 'process'
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

/** Registers the node and runs the pods bound to it until `stop`. Resolves once the Node object is Ready. */
export function startNode(options: NodeOptions): Promise<RunningNode> {
  return Promise.reject(new Error(`node ${options.name} cannot start yet`))
}
