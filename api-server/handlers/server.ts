import { apiError } from '../../core/errors.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { represent } from '../records/representation.ts'
import type { VersionRecord } from '../../core/rest/records/server.ts'
import type { Caches } from '../cache/caches.ts'
import type { Freshness } from '../cache/freshness.ts'
import type { Handlers } from './handler.ts'

interface ServerParts {
  readonly caches: Pick<Caches, 'hasSynced' | 'fillingReason'>
  readonly freshness: Pick<Freshness, 'staleReason'>
  readonly version: VersionRecord
  /** Why the control plane takes no writes now; undefined when it does. Absent: it cannot be asked. */
  readonly writeProblem?: (() => Promise<string | undefined>) | undefined
  /** What waits for a person though everything is served; absent: nothing can. */
  readonly heldReason?: (() => string | undefined) | undefined
  /** What the control plane refuses this server for want of a right, and has not granted since. */
  readonly findRefusal: () => string | undefined
}

/** The server about itself. */
export function serverHandlers({ caches, freshness, version, writeProblem, heldReason, findRefusal }: ServerParts) {
  return {
    getVersion: async () => ({ status: 200, body: represent(version) }),
    getHealth: async () => ({ status: 200, body: represent({ status: 'ok' }) }),
    async getReadiness() {
      if (!caches.hasSynced()) throw apiError('unavailable', caches.fillingReason())
      const problem = freshness.staleReason() ?? (await writeProblem?.())
      if (problem !== undefined) throw apiError('unavailable', problem)
      // No 503: whoever reads, and writes what is allowed, must not be cut off for one right that is missing.
      return {
        status: 200,
        body: represent({ status: 'ok', ...withoutAbsent({ refused: findRefusal(), held: heldReason?.() }) }),
      }
    },
    // A request to upgrade never gets here: the server hands it to the WebSocket side (live/websocket.ts).
    async openLiveConnection() {
      throw apiError('upgrade_required')
    },
  } satisfies Partial<Handlers>
}
