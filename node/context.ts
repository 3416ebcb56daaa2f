import type { ApiClient } from '../kube/client.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import type { Elapsed } from '../lib/elapsed.ts'
import type { Logger } from '../lib/log.ts'
import type { MountSettings } from './mounts.ts'

export type NodeClient = KubeClient & Pick<ApiClient, 'bindPod'>

/** What everything that runs a pod is given. */
export interface NodeContext extends MountSettings {
  readonly client: NodeClient
  readonly clock: Clock
  readonly elapsed: Elapsed
  readonly logger: Logger
  readonly events: EventRecorder
  readonly imagePaths: readonly string[]
  readonly hiddenPaths: readonly string[]
  /** PATH of a container that sets none. */
  readonly path: string
  /** More variables of containers in a sandbox. */
  readonly env?: Readonly<Record<string, string>> | undefined
}
