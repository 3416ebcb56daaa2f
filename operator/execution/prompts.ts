import type { Agent } from '../../core/crd/types.ts'
import { makeTaskPromptData } from '../../core/prompts/task-data.ts'
import { agentWish, SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { BadTemplate, renderPrompt } from '../../lib/prompts.ts'
import type { ObservedExecution } from './observe.ts'

/** What an execution's agent is told. */
export interface Prompts {
  /** For a fresh start; for a script the script itself, verbatim. */
  readonly prompt: string
  /** For a session that is taken up again. */
  readonly resume: string
}

/** What the agent of an execution is told, or why that cannot be said: a template of the Agent that cannot be used. */
export function makePrompts(seen: ObservedExecution, agent: Agent): Prompts | { readonly fault: string } {
  try {
    return render(seen, agent)
  } catch (error) {
    if (error instanceof BadTemplate) return { fault: `agent ${agent.metadata.name}: ${error.message}` }
    throw error
  }
}

function render(seen: ObservedExecution, agent: Agent): Prompts {
  const { task, execution, project, story, dependencies, previous, resumed } = seen
  if (agent.spec.adapter === SCRIPT_AGENT) return { prompt: agentWish(task).instructions ?? '', resume: '' }
  const sources = { task, agent, model: execution.spec.model, project, story, dependencies }
  const told = (name: 'task' | 'resume', earlier: typeof previous): string =>
    renderPrompt(name, makeTaskPromptData({ ...sources, previous: earlier }), agent.spec.prompts)
  return { prompt: told('task', previous), resume: told('resume', resumed) }
}
