/**
 * agent_updated: the live state of an agent, which changes with its tasks, slots and limits far more often than the
 * Agent object does.
 *
 * What may have changed is worked out again a quarter of a second after the first sign of it, once however many signs
 * come meanwhile, and told only where it differs from what was told last. A rate limit ends by time alone: then it is
 * worked out again at that time.
 */
import type { Agent } from '../../core/crd/types.ts'
import type { AgentStatusRecord } from '../../core/rest/records/agent.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Clock } from '../../lib/clock.ts'
import { agentStatus } from '../agents-status.ts'
import type { Caches } from '../caches.ts'
import type { Queues } from '../queues.ts'
import type { Hub } from './hub.ts'
import { onVisibleChange } from './news.ts'

export interface AgentNewsOptions {
  readonly caches: Caches
  readonly queues: Queues
  readonly hub: Hub
  readonly clock: Clock
}

const THROTTLE_MS = 250

/** Publishes every change of an agent or of its state from now on. The caches must have synced. */
export function publishAgentChanges({ caches, queues, hub, clock }: AgentNewsOptions): void {
  const told = new Map<string, string>()
  let isDue = false
  let cancelExpiry: () => void = () => undefined

  const tell = (agent: Agent, json: string): void => {
    told.set(agent.metadata.name, json)
    hub.publish('agent_updated', { agent: agent.metadata.name }, json)
  }
  const review = (publish: (agent: Agent, json: string) => void): void => {
    const now = clock.now()
    const statuses = caches.agents.list().map((agent) => ({ agent, status: agentStatus(agent, queues, now) }))
    for (const { agent, status } of statuses) {
      const json = JSON.stringify(status)
      if (told.get(agent.metadata.name) !== json) publish(agent, json)
    }
    cancelExpiry()
    cancelExpiry = scheduleExpiry(statuses.map(({ status }) => status))
  }
  const scheduleExpiry = (statuses: readonly AgentStatusRecord[]): (() => void) => {
    const ends = statuses.flatMap(({ rate_limited_until: until }) =>
      until === undefined ? [] : [parseTimestamp(until)],
    )
    if (ends.length === 0) return () => undefined
    const first = Math.min(...ends.map((end) => end.getTime())) - clock.now().getTime()
    return clock.schedule(Math.min(Math.max(first, THROTTLE_MS), LONGEST_TIMER_MS), suspect)
  }
  const suspect = (): void => {
    if (isDue) return
    isDue = true
    clock.schedule(THROTTLE_MS, () => {
      isDue = false
      review(tell)
    })
  }
  for (const { informer } of [caches.tasks, caches.executions, caches.projects, caches.leases])
    informer.onChange(suspect)
  onVisibleChange(caches.agents, (change) => {
    const { name } = (change.type === 'delete' ? change.previous : change.object).metadata
    if (change.type !== 'delete') {
      // At once, and also where the change is one that the state does not show.
      tell(change.object, JSON.stringify(agentStatus(change.object, queues, clock.now())))
      return suspect()
    }
    told.delete(name)
    return hub.publish('agent_deleted', { agent: name })
  })
  review((agent, json) => void told.set(agent.metadata.name, json))
}

/** Beyond 2³¹ ms a timer fires at once; an hour is enough to look again. */
const LONGEST_TIMER_MS = 3_600_000
