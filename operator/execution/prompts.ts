import type { Agent } from '../../core/crd/types.ts'
import { isWork } from '../../core/execution/state.ts'
import { makeTaskPromptData } from '../../core/prompts/task-data.ts'
import { agentWish, SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { BadTemplate, renderPrompt } from '../../lib/prompts.ts'
import type { ExecutionFolder } from '../volume.ts'
import type { ObservedExecution } from './observe.ts'
import { answerOf } from './run-spec.ts'

/** What an execution's agent is told, for a fresh start and for a session that is taken up again. */
export type Prompts = Pick<ExecutionFolder, 'prompt' | 'resume' | 'answer'>

/**
 * What the agent of a task is told, or why that cannot be said: a template of its Agent that cannot be used. Whoever
 * made a query has written its prompt already.
 */
export function makePrompts(seen: ObservedExecution): Prompts | { readonly problem: string } {
  const { agent, execution } = seen
  if (agent === undefined || !isWork(execution)) return { resume: '' }
  try {
    return { ...render(seen, agent), answer: answerOf(seen) }
  } catch (error) {
    if (error instanceof BadTemplate) return { problem: `agent ${agent.metadata.name}: ${error.message}` }
    throw error
  }
}

/** For a script the script itself, verbatim. */
function render(seen: ObservedExecution, agent: Agent): Prompts {
  const { task, execution, project, story, dependencies, previous, resumed } = seen
  if (agent.spec.adapter === SCRIPT_AGENT) return { prompt: agentWish(task).instructions ?? '', resume: '' }
  const sources = { task, agent, model: execution.spec.model, project, story, dependencies }
  const told = (name: 'task' | 'resume', earlier: typeof previous): string =>
    renderPrompt(name, makeTaskPromptData({ ...sources, previous: earlier }), agent.spec.prompts)
  return { prompt: told('task', previous), resume: told('resume', resumed) }
}
