import type { VersionRecord } from '../core/rest/records/server.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { Scheduling } from '../kube/scheduling.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import type { Queries } from './queries/queries.ts'
import type { Approvals } from './approval/approvals.ts'
import type { Caches } from './cache/caches.ts'
import type { Deployments } from './deployment/deployment.ts'
import type { DropFolder } from './drops/folder.ts'
import type { Freshness } from './cache/freshness.ts'
import type { Streams } from './streams/streams.ts'
import type { Preconditions } from './records/preconditions.ts'
import type { Push } from './push/push.ts'
import type { Sessions } from './auth/sessions.ts'
import type { StoryView } from './records/story-view.ts'
import type { TaskView } from './records/task-view.ts'
import type { Scripts } from './scripts/runner.ts'
import type { WebhookGate } from './webhook/gate.ts'
import type { Tokens } from './auth/tokens.ts'

/** What every handler can reach. */
export interface ApiContext {
  readonly client: KubeClient
  readonly namespace: string
  readonly volumeRoot: string
  readonly workspaceRoot: string
  /** Absolute path of the files of the page at /api/docs, as the build put them together. */
  readonly apiDocsFolder: string
  /** Whether pods run on this machine: only then paths of this machine may be named. */
  readonly embedded: boolean
  readonly version: VersionRecord
  readonly clock: Clock
  readonly caches: Caches
  readonly preconditions: Preconditions
  readonly freshness: Freshness
  /** Why the control plane takes no writes now; undefined when it does. Absent: it cannot be asked. */
  readonly writeProblem?: (() => Promise<string | undefined>) | undefined
  /** Who holds slots and who waits; follows the caches. */
  readonly scheduling: Scheduling
  readonly tasks: TaskView
  readonly stories: StoryView
  readonly deployments: Deployments
  readonly approvals: Approvals
  readonly queries: Queries
  readonly streams: Streams
  readonly push: Push
  readonly tokens: Tokens
  /** Best effort: what people decided, for `kubectl describe`. */
  readonly events: Pick<EventRecorder, 'record'>
  readonly sessions: Sessions
  readonly drops: DropFolder
  readonly scripts: Scripts
  /** Base URL that processes on this machine reach the server under. */
  readonly serverUrl: () => string
  readonly webhookGate: WebhookGate
  /** A new record id, such as `task-01jd…`. */
  readonly makeId: (kind: string) => string
}
