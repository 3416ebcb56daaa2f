import type { Given, SecretVariable } from '../../core/agent/given.ts'
import { makeGiven } from '../../core/agent/given.ts'
import type { Agent, Execution, Project } from '../../core/crd/types.ts'
import { isWork } from '../../core/execution/state.ts'
import type { ObservedExecution } from './observe.ts'

/** What the CLI of an execution is given beside its prompt; nothing where there is no agent. */
export function giveAgent({ agent, project, execution }: Pick<ObservedExecution, 'agent' | 'project' | 'execution'>): {
  readonly given?: Given
  readonly secrets: readonly SecretVariable[]
} {
  if (agent === undefined) return { secrets: [] }
  return makeGiven({ agent: agent.spec, project: project?.spec, isWork: isWork(execution) })
}

/** The keys of the Agent's Secret that are given beside its credentials: of any work it may do, or of one execution. */
export function secretsOf(agent: Agent, project?: Project, execution?: Execution): readonly SecretVariable[] {
  const does = execution === undefined || isWork(execution)
  return makeGiven({ agent: agent.spec, project: project?.spec, isWork: does }).secrets
}
