import type { TaskDraft } from '../answer/task-draft.ts'
import type { TaskCreate } from '../kinds/task.ts'

/** What a draft is made of beside the agent's answer. */
export interface DraftSources {
  /** The person's words, kept with the task. */
  readonly prompt: string
  /** Id of the project that the task is for. */
  readonly project?: string | undefined
  /** Agents that a model may propose. */
  readonly agents: ReadonlySet<string>
}

/**
 * A task that a create accepts as it is. An agent that the answer proposes and that does not exist, or runs scripts, is
 * left out: a model must not choose what is run without one, and the rules choose well.
 */
export function completeDraft(answer: TaskDraft, { prompt, project, agents }: DraftSources): TaskCreate {
  const { name, description, agent } = answer
  return {
    name,
    description,
    elaboration_input: prompt,
    ...(project === undefined ? {} : { project }),
    ...(agent !== undefined && agents.has(agent.type) ? { agent } : {}),
  }
}
