/**
 * The node under one name: its Node object and its Lease, and the pods that are bound to it.
 *
 * A node has one name, and for a while a second: pods that an earlier version bound to its constant name keep it for
 * life, so the node stays there under that name too until the last of them is gone.
 */
import { delay } from '../lib/clock.ts'
import type { Pod } from '../kube/builtin.ts'
import type { Informer } from '../kube/informer.ts'
import { LEASES, NODES, PODS } from '../kube/resources.ts'
import { isNotFound } from '../kube/types.ts'
import { LEASE_NAMESPACE, RENEW_MS, renewLease } from './lease.ts'
import type { Registration } from './register.ts'
import { registerNode } from './register.ts'
import type { WatchSettings } from './watch-pods.ts'
import { watchPods } from './watch-pods.ts'

export type PresenceOptions = WatchSettings & Omit<Registration, 'logPort'>

export interface Presence {
  readonly name: string
  /** Those that are bound to this name, whoever bound them. */
  readonly pods: Informer<Pod>
  /** Makes or renews Node object and Lease. */
  appear(logPort: number): Promise<void>
  /**
   * Renews the Lease every ten seconds and the Node's status every minute, until `signal` aborts. Once `isDone` it is
   * left, unless others use it.
   */
  stay(isDone: () => boolean, signal: AbortSignal): Promise<void>
  /**
   * Removes Node object and Lease; `unlessUsed`: not while any pod is bound to it. What fails is logged; false then.
   */
  leave(how?: { readonly unlessUsed?: boolean }): Promise<boolean>
}

const STATUS_ROUNDS = 6
/** A stop does not wait long for an API that is out of reach. */
const LEAVE_MS = 5_000

export function createPresence(options: PresenceOptions): Presence {
  const { client, clock, logger, name } = options
  let logPort = 0
  const renew = (): Promise<void> => renewLease(client, name, clock.now())
  const register = (): Promise<void> => registerNode(client, { ...options, logPort }, clock.now())
  const leave: Presence['leave'] = async ({ unlessUsed = false } = {}) => {
    const late = new AbortController()
    const cancel = clock.schedule(LEAVE_MS, () => late.abort(new Error('the API does not answer')))
    const { signal } = late
    try {
      if (unlessUsed && (await listBound(client, name, signal)).length > 0) return true
      await client.delete(NODES, { name }, {}, { signal }).catch(ignoreMissing)
      await client.delete(LEASES, { namespace: LEASE_NAMESPACE, name }, {}, { signal }).catch(ignoreMissing)
      return true
    } catch (error) {
      logger.warn({ error, node: name }, 'the node could not be removed')
      return false
    } finally {
      cancel()
    }
  }
  return {
    name,
    leave,
    pods: watchPods(options, { fieldSelector: `spec.nodeName=${name}` }),
    async appear(port) {
      logPort = port
      await register()
      await renew()
    },
    async stay(isDone, signal) {
      for (let round = 1; ; round += 1) {
        await delay(clock, RENEW_MS, signal)
        if (signal.aborted || (isDone() && (await leave({ unlessUsed: true })))) return
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

/** The pods that are bound to a node, in all namespaces. */
export async function listBound(
  client: WatchSettings['client'],
  node: string,
  signal?: AbortSignal,
): Promise<readonly Pod[]> {
  return (await client.list(PODS, { fieldSelector: `spec.nodeName=${node}` }, { signal })).items
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error
}
