/** The node's presence: its Node object and its Lease, and the pods that are bound to it. */
import { delay } from '../lib/clock.ts'
import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { LEASES, NODES } from '../kube/resources.ts'
import { isNotFound } from '../kube/types.ts'
import { LEASE_NAMESPACE, RENEW_MS, renewLease } from './lease.ts'
import { type Registration, registerNode } from './register.ts'
import { type WatchSettings, watchPods } from './watch-pods.ts'

export type PresenceOptions = WatchSettings & Omit<Registration, 'logPort'>

export interface Presence {
  /** Those that are bound to this node, whoever bound them. */
  readonly pods: Informer<Pod>
  /** Makes or renews Node object and Lease. */
  appear(logPort: number): Promise<void>
  /** Renews the Lease every ten seconds and the Node's status every minute, until `signal` aborts. */
  stay(signal: AbortSignal): Promise<void>
  /** Removes Node object and Lease; what fails is logged. */
  leave(): Promise<void>
}

const STATUS_ROUNDS = 6
/** A stop does not wait long for an API that is out of reach. */
const LEAVE_MS = 5_000

export function createPresence(options: PresenceOptions): Presence {
  const { client, clock, logger, name } = options
  let logPort = 0
  const renew = (): Promise<void> => renewLease(client, name, clock.now())
  const register = (): Promise<void> => registerNode(client, { ...options, logPort }, clock.now())
  return {
    pods: watchPods(options, { fieldSelector: `spec.nodeName=${name}` }),
    async appear(port) {
      logPort = port
      await register()
      await renew()
    },
    async leave() {
      const late = new AbortController()
      const cancel = clock.schedule(LEAVE_MS, () => late.abort(new Error('the API does not answer')))
      const { signal } = late
      try {
        await client.delete(NODES, { name }, {}, { signal }).catch(ignoreMissing)
        await client.delete(LEASES, { namespace: LEASE_NAMESPACE, name }, {}, { signal }).catch(ignoreMissing)
      } catch (error) {
        logger.warn({ error, node: name }, 'the node could not be removed')
      } finally {
        cancel()
      }
    },
    async stay(signal) {
      for (let round = 1; ; round += 1) {
        await delay(clock, RENEW_MS, signal)
        if (signal.aborted) return
        try {
          await renew()
          if (round % STATUS_ROUNDS === 0) await register()
        } catch (error) {
          // Made up for the next time.
          logger.warn({ error, node: name }, 'renewing the node failed')
        }
      }
    },
  }
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error
}
