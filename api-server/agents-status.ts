import { consecutiveFailures } from '../core/agent/drain.ts'
import { limitedUntil } from '../core/agent/schedule.ts'
import type { Agent } from '../core/crd/types.ts'
import type { AgentEventRecord, AgentsStatus, AgentStatusRecord } from '../core/rest/records/agent.ts'
import type { AgentState } from '../core/rest/words.ts'
import { addMs, parseTimestamp } from '../core/time.ts'
import type { Caches } from './caches.ts'
import type { Queues } from './queues.ts'

const HISTORY_MS = 24 * 3_600_000

/** Every agent's live state, by name, and the agents' events of the last 24 hours, newest first. */
export function agentsStatus(caches: Caches, queues: Queues, now: Date): AgentsStatus {
  const agents = [...caches.agents.list()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  return {
    agents: agents.map((agent) => agentStatus(agent, queues, now)),
    events: agents.flatMap((agent) => recentEvents(agent, now)).sort((a, b) => (a.at < b.at ? 1 : -1)),
  }
}

/** What one agent does now; computed, because it is nowhere stored. */
export function agentStatus(agent: Agent, queues: Queues, now: Date): AgentStatusRecord {
  const { name } = agent.metadata
  const [holder] = queues.loadOf(agent).holders
  const until = limitedUntil(agent, now)
  return {
    agent: name,
    state: agentState(agent, holder !== undefined, until),
    ...(holder === undefined ? {} : { task_id: holder.task, execution_id: holder.execution }),
    queued: queues.queuedFor(name).length,
    consecutive_failures: consecutiveFailures(agent.status),
    ...(until === undefined ? {} : { rate_limited_until: until }),
    credentials: credentials(agent),
  }
}

function agentState(agent: Agent, isRunning: boolean, limited: string | undefined): AgentState {
  if (agent.status?.drained !== undefined) return 'drained'
  if (isRunning) return 'running'
  if (limited !== undefined) return 'rate_limited'
  const isUnavailable = agent.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False')
  return isUnavailable === true ? 'unavailable' : 'idle'
}

/** Where the agent's credentials come from; whether they are there is judged when an execution starts. */
function credentials({ spec, status }: Agent): string {
  const missing = status?.conditions?.find(({ reason }) => reason === 'CredentialsMissing')
  if (missing !== undefined) return missing.message
  return spec.credentials === undefined ? 'none' : 'configured'
}

function recentEvents({ metadata, status }: Agent, now: Date): AgentEventRecord[] {
  const horizon = addMs(now, -HISTORY_MS)
  return (status?.events ?? [])
    .filter(({ at }) => parseTimestamp(at) > horizon)
    .map(({ kind, at, message }) => ({
      agent: metadata.name,
      kind,
      at,
      ...(message === undefined ? {} : { message }),
    }))
}
