import { clearDrainQuestion, recoverIfDue, undrain } from '../../core/agent/drain.ts'
import { whyStalled, whyUnavailable } from '../../core/agent/availability.ts'
import type { Installation } from '../../core/agent/availability.ts'
import type { ConditionClaim } from '../../core/conditions.ts'
import { mergeConditions } from '../../core/conditions.ts'
import type { Agent, AgentStatus, LastAction, Task } from '../../core/crd/types.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { parseTimestamp, toTimestamp } from '../../core/time.ts'
import type { Action, Step } from '../action.ts'

/** Everything that the next step of one agent depends on. */
export interface ObservedAgent {
  readonly now: Date
  readonly agent: Agent
  /** The tasks that have this agent. */
  readonly tasks: readonly Task[]
  readonly installation: Installation
}

/** Decides the next step of one agent: an undrain by annotation, the end of a limit, its Ready condition. */
export function reconcileAgent(seen: ObservedAgent): Step {
  const { agent, now } = seen
  const asked = reconcileAnnotation(seen)
  if (asked !== undefined) return { actions: asked }
  const until = agent.status?.rateLimitedUntil
  const requeueAt = until === undefined ? undefined : parseTimestamp(until)
  const status = { ...recoverIfDue(agent, now) }
  const conditions = mergeConditions(status.conditions, [claimReady(seen, status)], now)
  const next = { ...status, conditions }
  if (isSame(agent.status, next)) return { actions: [], requeueAt }
  return { actions: [{ kind: 'writeAgent', agent, status: next }], requeueAt }
}

function reconcileAnnotation(seen: ObservedAgent): Action[] | undefined {
  const { agent, now } = seen
  const { [ANNOTATIONS.action]: action, [ANNOTATIONS.actionId]: id } = agent.metadata.annotations ?? {}
  if (action === undefined) return undefined
  const clear: Action = { kind: 'clearAnnotations', of: { kind: 'Agent', object: agent }, names: [ANNOTATIONS.action] }
  if (id !== undefined && agent.status?.lastAction?.id === id) return [clear]
  const taken: LastAction = { action: action.slice(0, 63), at: toTimestamp(now), ...(id === undefined ? {} : { id }) }
  if (action === 'undrain') return [...lift(seen, taken), clear]
  const refused = `unknown action ${action}: use undrain`
  const status = { ...agent.status, lastAction: { ...taken, refused } }
  return [{ kind: 'writeAgent', agent, status }, note(agent, 'Warning', 'ActionRefused', refused), clear]
}

/** The drain goes with the questions that it set. Tasks first: an interrupted undrain is then taken again. */
function lift({ agent, tasks, now }: ObservedAgent, lastAction: LastAction): Action[] {
  const cleared = tasks.flatMap((task): Action[] => {
    const status = clearDrainQuestion(agent, task)
    return status === undefined ? [] : [{ kind: 'writeTask', task, status }]
  })
  const status = { ...undrain(agent, now), lastAction }
  return [...cleared, { kind: 'writeAgent', agent, status }, note(agent, 'Normal', 'Undrained', 'accepts work again')]
}

function claimReady({ agent, installation }: ObservedAgent, status: AgentStatus): ConditionClaim {
  const stalled = whyStalled(agent, installation)
  if (stalled !== undefined) return { type: 'Stalled', status: 'True', reason: 'HostPath', message: stalled }
  const unavailable = whyUnavailable(agent, installation)
  if (unavailable !== undefined) return { type: 'Ready', status: 'False', reason: 'Unavailable', message: unavailable }
  const { drained } = status
  if (drained === undefined) return { type: 'Ready', status: 'True', reason: 'AcceptsWork', message: 'accepts work' }
  return { type: 'Ready', status: 'False', reason: 'Drained', message: drained.reason ?? 'drained' }
}

function note(agent: Agent, type: 'Normal' | 'Warning', reason: string, message: string): Action {
  return { kind: 'recordEvent', event: { regarding: agent, type, reason, message } }
}

function isSame(a: AgentStatus | undefined, b: AgentStatus): boolean {
  const key = ({ conditions, rateLimitedUntil, events }: AgentStatus): string =>
    JSON.stringify([
      (conditions ?? []).map(({ type, status, reason, message }) => [type, status, reason, message]),
      rateLimitedUntil,
      events?.length,
    ])
  return key(a ?? {}) === key(b)
}
