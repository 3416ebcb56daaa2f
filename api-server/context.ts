import type { KubeClient } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import type { Caches } from './cache/caches.ts'

/** What commands and handlers share; what else one needs, it takes from that part's own file. */
export interface ApiContext {
  readonly client: KubeClient
  readonly namespace: string
  readonly clock: Clock
  readonly caches: Caches
  /** What branches of tasks without a story begin with; absent: the usual. */
  readonly branchPrefix?: string | undefined
  /** A new record id, such as `task-01jd…`. */
  readonly makeId: (kind: string) => string
}
