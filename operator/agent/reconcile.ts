import { recoverIfDue } from '../../core/agent/limit.ts'
import { type AgentFindings, claimAgentReady, DECISIONS_UNPROVEN } from '../../core/agent/readiness.ts'
import { decideUndrain } from '../../core/agent/undrain.ts'
import { claimConditions, isObserved, sayTheSame } from '../../core/conditions.ts'
import type { Agent, AgentStatus, Task } from '../../core/crd/types.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { addMs, earliest, parseTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import { type AskedAction, clearAskedAction, findAskedAction, rememberAction } from '../action-annotation.ts'

/** Neither Secrets nor policies are watched, which saves the rights to list them: what changed is noticed then. */
const RECHECK_MS = 60_000

/** Everything that the next step of one agent depends on. */
export interface ObservedAgent extends AgentFindings {
  readonly now: Date
  readonly agent: Agent
  /** Whether the API server proves who annotates. */
  readonly admissionPolicies: boolean
  /** Whether it should; absent: no. */
  readonly needsPolicies?: boolean
  /** The tasks that have this agent. */
  readonly tasks: readonly Task[]
}

/** Decides the next step of one agent: an undrain by annotation, the end of a limit, its Ready condition. */
export function reconcileAgent(seen: ObservedAgent): Step {
  const { agent, now } = seen
  const asked = reconcileAnnotation(seen)
  if (asked !== undefined) return { actions: asked }
  const requeueAt = lookAgainAt(seen)
  const status = { ...recoverIfDue(agent, now) }
  const isProven = seen.needsPolicies !== true || seen.admissionPolicies
  const claims = [claimAgentReady(agent, status, seen), ...(isProven ? [] : [DECISIONS_UNPROVEN])]
  const next = { ...status, ...claimConditions(agent, claims, now) }
  if (isSame(agent.status, next) && isObserved(agent)) return { actions: [], requeueAt }
  return { actions: [{ kind: 'writeAgent', agent, status: next }], requeueAt }
}

/** At the end of the limit, and now and then where there are credentials or policies that may come or go. */
function lookAgainAt({ agent, now, needsPolicies }: ObservedAgent): Date | undefined {
  const until = agent.status?.rateLimitedUntil
  const mayChange = agent.spec.credentials !== undefined || needsPolicies === true
  const recheckAt = mayChange ? addMs(now, RECHECK_MS) : undefined
  return earliest(until === undefined ? undefined : parseTimestamp(until), recheckAt)
}

function reconcileAnnotation(seen: ObservedAgent): Action[] | undefined {
  const { agent, now } = seen
  const of = { kind: 'Agent', object: agent } as const
  const asked = findAskedAction(of, seen.admissionPolicies)
  if (asked === undefined) return undefined
  const clear = clearAskedAction(of, asked, [])
  if (asked.action === 'undrain') return [...lift(seen, asked), ...clear]
  const refused = `unknown action ${asked.action}: use undrain`
  const status = { ...agent.status, ...rememberAction(agent.status, asked, now, refused) }
  return [{ kind: 'writeAgent', agent, status }, recordEvent(agent, 'Warning', 'ActionRefused', refused), ...clear]
}

function lift({ agent, tasks, now }: ObservedAgent, asked: AskedAction): Action[] {
  const outcome = decideUndrain(agent, tasks, { by: asked.by, at: now })
  const { type, reason, message } = decisionEvent('undrain', outcome.message, asked.by)
  return [
    ...outcome.tasks.map((write): Action => ({ kind: 'writeTask', ...write })),
    { kind: 'writeAgent', agent, status: { ...outcome.status, ...rememberAction(agent.status, asked, now) } },
    recordEvent(agent, type, reason, message),
  ]
}

function isSame(a: AgentStatus | undefined, b: AgentStatus): boolean {
  const isSaid = sayTheSame(a?.conditions, b.conditions)
  return isSaid && a?.rateLimitedUntil === b.rateLimitedUntil && a?.events?.length === b.events?.length
}
