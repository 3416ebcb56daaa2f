import { type SecretVariable, makeAgentConfig } from '../../core/agent/agent-config.ts'
import type { Agent, Execution, Project } from '../../core/crd/types.ts'
import type { AgentConfig } from '../../core/execution/agent-config.ts'
import { isWork } from '../../core/execution/state.ts'

/** What configures the CLI of an execution beside its prompt; nothing where there is no agent. */
export function agentConfigOf({
  agent,
  project,
  execution,
}: {
  readonly agent: Agent | undefined
  readonly project: Project | undefined
  readonly execution: Execution
}): { readonly agentConfig?: AgentConfig; readonly secrets: readonly SecretVariable[] } {
  if (agent === undefined) return { secrets: [] }
  return makeAgentConfig({ agent: agent.spec, project: project?.spec, isWork: isWork(execution) })
}

/** The keys of the Agent's Secret that the CLI gets beside its credentials: of any work it may do, or of one execution. */
export function secretsOf(agent: Agent, project?: Project, execution?: Execution): readonly SecretVariable[] {
  const does = execution === undefined || isWork(execution)
  return makeAgentConfig({ agent: agent.spec, project: project?.spec, isWork: does }).secrets
}
