import type { Lease } from '../../kube/builtin.ts'
import { runAsLeader } from '../../kube/leader.ts'
import { createOutageLog } from '../../kube/outage.ts'
import type { KubeClient } from '../../kube/types.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { type MemoryClient, memoryClient } from './memory-client.ts'

const KEY = { namespace: 'ns', name: 'slipway-operator' }

/** One that wants to lead; its server can be taken away from it alone. */
export interface Contender {
  /** As SIGTERM does: its work ends, and what it holds is given back. */
  end(): Promise<void>
  /** Tells it to stop, without letting time or anything else pass. */
  stop(): void
  cutOff(): void
  reconnect(): void
}

/** Contenders for one Lease in memory. */
export interface Contenders {
  readonly clock: ManualClock
  readonly client: MemoryClient
  /** Who leads now. */
  readonly leading: readonly string[]
  /** Who began to lead, in order. */
  readonly terms: readonly string[]
  /** Most that ever led at once. */
  most(): number
  contend(identity: string, verbs?: Partial<KubeClient>): Contender
  /** What `runAsLeader` needs, for work of the test's own. */
  optionsOf(identity: string): Parameters<typeof runAsLeader>[0]
  lease(): Lease
  /** Somebody else changes nothing of the Lease, and so makes a new version of it. */
  touchLease(): void
  deleteLease(): void
  end(): Promise<void>
}

export function createContenders(): Contenders {
  const clock = manualClock()
  const client = memoryClient()
  const leading: string[] = []
  const terms: string[] = []
  const ends: (() => Promise<void>)[] = []
  let most = 0
  const id = `leases/${KEY.namespace}/${KEY.name}`
  const lease = () => client.objects.get(id) as Lease
  const optionsOf = (identity: string) => {
    const { logger } = recordingLogger()
    const outages = createOutageLog(clock, logger)
    return { client, key: KEY, identity, clock, monotonicMs: clock.elapsedMs, random: () => 0.5, logger, outages }
  }
  const lead = async (identity: string, over: AbortSignal): Promise<void> => {
    leading.push(identity)
    terms.push(identity)
    most = Math.max(most, leading.length)
    await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
    leading.splice(leading.indexOf(identity), 1)
  }
  const contend = (identity: string, verbs: Partial<KubeClient> = {}): Contender => {
    const stop = new AbortController()
    const connection = createConnection(client)
    const options = { ...optionsOf(identity), client: { ...connection.client, ...verbs } }
    const running = runAsLeader(options, stop.signal, (lost) => lead(identity, AbortSignal.any([lost, stop.signal])))
    const end = async (): Promise<void> => {
      stop.abort()
      await clock.advance(0)
      await running
    }
    ends.push(end)
    return { end, stop: () => stop.abort(), cutOff: connection.cutOff, reconnect: connection.reconnect }
  }
  return {
    clock,
    client,
    leading,
    terms,
    most: () => most,
    contend,
    optionsOf,
    lease,
    touchLease: () => client.touch(id),
    deleteLease: () => client.forget(id),
    async end() {
      for (const end of ends) await end()
    },
  }
}

/** A way of one contender to the server. */
function createConnection(client: MemoryClient) {
  let isCutOff = false
  const refuse = (): void => {
    if (isCutOff) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const own: MemoryClient = {
    ...client,
    find: async (...args) => (refuse(), client.find(...args)),
    list: async (...args) => (refuse(), client.list(...args)),
    create: async (...args) => (refuse(), client.create(...args)),
    replace: async (...args) => (refuse(), client.replace(...args)),
    async *watch(...args) {
      refuse()
      for await (const event of client.watch(...args)) {
        refuse()
        yield event
      }
    },
  }
  return { client: own, cutOff: () => void (isCutOff = true), reconnect: () => void (isCutOff = false) }
}
