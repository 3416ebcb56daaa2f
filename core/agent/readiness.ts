import type { ConditionClaim } from '../conditions.ts'
import type { Agent, AgentStatus } from '../crd/types.ts'
import { POLICIES_MISSING } from '../decision.ts'
import type { CredentialsState } from '../enum-values.ts'
import { type Installation, stalledReason, unavailableReason } from './availability.ts'

/** Reasons of the conditions that say whether an agent can take work; those who read them know them by these names. */
const REASONS = {
  hostPath: 'HostPath',
  prompts: 'BadPrompt',
  unavailable: 'Unavailable',
  credentials: 'CredentialsMissing',
  drained: 'Drained',
  ready: 'AcceptsWork',
} as const

/** What the operator found about an agent. */
export interface AgentFindings {
  readonly installation: Installation
  /** What its credentials lack, in words; undefined when all is there. */
  readonly missingCredentials: string | undefined
  /** The first of its templates that cannot be used, in words. */
  readonly badPrompts?: string | undefined
}

/**
 * Whether an agent can take work, as its condition says it. What keeps it from working at all comes before missing
 * credentials, and these before a drain: so a condition of either of the last two tells that credentials were checked.
 */
export function claimAgentReady(agent: Agent, status: AgentStatus, findings: AgentFindings): ConditionClaim {
  const { installation, missingCredentials, badPrompts } = findings
  const onHost = stalledReason(agent, installation)
  if (onHost !== undefined) return stalled(REASONS.hostPath, onHost)
  if (badPrompts !== undefined) return stalled(REASONS.prompts, badPrompts)
  const unavailable = unavailableReason(agent, installation)
  if (unavailable !== undefined) return notReady(REASONS.unavailable, unavailable)
  if (missingCredentials !== undefined) return notReady(REASONS.credentials, missingCredentials)
  const { drained } = status
  if (drained !== undefined) return notReady(REASONS.drained, drained.reason ?? 'drained')
  return { type: 'Ready', status: 'True', reason: REASONS.ready, message: 'accepts work' }
}

/** What every agent of an installation without the policies that it asks for says beside its own condition. */
export const DECISIONS_UNPROVEN: ConditionClaim = {
  type: 'DecisionsProven',
  status: 'False',
  reason: 'PoliciesMissing',
  message: POLICIES_MISSING,
}

function stalled(reason: string, message: string): ConditionClaim {
  return { type: 'Stalled', status: 'True', reason, message }
}

function notReady(reason: string, message: string): ConditionClaim {
  return { type: 'Ready', status: 'False', reason, message }
}

/**
 * Why an agent cannot work, as the operator last found; undefined when it can, or nobody has looked. A drain is not
 * among the reasons: whether it holds is told by `status.drained`, which a person may have lifted since.
 */
export function notReadyReason({ status }: Agent): string | undefined {
  const found = status?.conditions?.find(
    ({ type, status: holds, reason }) =>
      (type === 'Stalled' && holds === 'True') || (type === 'Ready' && holds === 'False' && reason !== REASONS.drained),
  )
  return found?.message
}

/** What is known of an agent's credentials: the API server may not read Secrets, the operator looks at them. */
export function credentialsState({ spec, status }: Agent): CredentialsState {
  const reasons = new Set(status?.conditions?.map(({ reason }) => reason))
  if (reasons.has(REASONS.credentials)) return 'missing'
  if (spec.credentials === undefined) return 'none'
  return reasons.has(REASONS.ready) || reasons.has(REASONS.drained) ? 'present' : 'unknown'
}
