import { consecutiveFailures } from '../../core/agent/drain.ts'
import { limitedUntil, closedReason } from '../../core/agent/schedule.ts'
import { credentialsState, notReadyReason } from '../../core/agent/readiness.ts'
import type { Agent, AgentEventKind } from '../../core/crd/types.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { AgentEventRecord, AgentsStatus, AgentStatusRecord } from '../../core/rest/records/agent.ts'
import type { AgentState } from '../../core/enum-values.ts'
import { compareTexts } from '../../core/text.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Caches } from '../cache/caches.ts'

const HISTORY_MS = 24 * 3_600_000

/** What an event says that carries no text of its own. */
const EVENT_WORDS = {
  rate_limited: 'the provider limits the agent',
  recovered: 'the limit has ended',
  drained: 'takes no more work until a person lifts the drain',
  undrained: 'accepts work again',
} as const satisfies Record<AgentEventKind, string>

/** Every agent's live state, by name, and the agents' events of the last 24 hours, newest first. */
export function agentsStatus(caches: Caches, scheduling: Scheduling, now: Date): AgentsStatus {
  const agents = [...caches.agents.list()].sort((a, b) => compareTexts(a.metadata.name, b.metadata.name))
  return {
    agents: agents.map((agent) => agentStatus(agent, scheduling, now)),
    events: agents.flatMap((agent) => recentEvents(agent, now)).sort((a, b) => compareTexts(b.at, a.at)),
  }
}

/** What one agent does now; computed, because it is nowhere stored. */
export function agentStatus(agent: Agent, scheduling: Scheduling, now: Date): AgentStatusRecord {
  const { name } = agent.metadata
  const [holder] = scheduling.holdersOf(name, now)
  const until = limitedUntil(agent, now)
  const state = agentState(agent, holder !== undefined, until)
  const since = stoppedSince(agent, state)
  const reason = closedReason(agent, now) ?? notReadyReason(agent)
  return {
    agent: name,
    state,
    ...withoutAbsent({ reason, since }),
    ...(holder === undefined ? {} : withoutAbsent({ task_id: holder.task, execution_id: holder.execution })),
    queued: scheduling.queuedFor(name).size,
    consecutive_failures: consecutiveFailures(agent.status),
    ...(until === undefined ? {} : { rate_limited_until: until }),
    credentials: credentialsState(agent),
  }
}

function agentState(agent: Agent, isRunning: boolean, limited: string | undefined): AgentState {
  if (agent.status?.drained !== undefined) return 'drained'
  if (isRunning) return 'running'
  if (limited !== undefined) return 'rate_limited'
  return notReadyReason(agent) === undefined ? 'idle' : 'unavailable'
}

/** A limit that is prolonged began with the event after the last recovery, if that is still known. */
function stoppedSince({ status }: Agent, state: AgentState): string | undefined {
  if (state === 'drained') return status?.drained?.since
  if (state !== 'rate_limited') return undefined
  const events = status?.events ?? []
  const recovered = events.findLastIndex(({ kind }) => kind === 'recovered' || kind === 'undrained')
  return events.slice(recovered + 1).find(({ kind }) => kind === 'rate_limited')?.at
}

/** Newest first: an agent keeps them in the order in which they came, also within a second. */
function recentEvents({ metadata, status }: Agent, now: Date): AgentEventRecord[] {
  const horizon = addMs(now, -HISTORY_MS)
  return (status?.events ?? [])
    .filter(({ at }) => parseTimestamp(at) > horizon)
    .map(({ kind, at, message }) => ({ agent: metadata.name, kind, at, message: message ?? EVENT_WORDS[kind] }))
    .toReversed()
}
