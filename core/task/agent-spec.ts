import type { AgentConfiguration, Task } from '../crd/types.ts'

/** The first kind of agent, whose name is also the legacy key of a task's agent configuration. */
export const LEGACY_AGENT = 'claude'

/** The agent that never uses a model and is chosen only by name (specification §4.20). */
export const SCRIPT_AGENT = 'script'

/** What the task's author says about its agent; the legacy key `spec.claude` reads as `spec.agent`. */
export function agentWish(task: Task): AgentConfiguration {
  const { agent, claude } = task.spec
  return agent ?? (claude === undefined ? {} : { type: LEGACY_AGENT, ...claude })
}

/** The agents that a task refers to: the one its author asks for, and the one that was chosen for it. */
export function agentsNamedBy(task: Task): string[] {
  return [...new Set([agentWish(task).type, task.status?.agent?.type].flatMap((name) => name ?? []))]
}
