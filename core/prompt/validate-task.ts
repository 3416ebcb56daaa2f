import type { PromptProject } from './parts.ts'
import { projectSection, READ_ONLY_RULES, section } from './parts.ts'

/** What an agent is told that looks at a task before it is run. */
export interface ValidateTaskData {
  readonly name: string
  readonly description?: string | undefined
  readonly instructions?: string | undefined
  readonly project?: PromptProject | undefined
}

/** The prompt; the runner adds the form of the answer. */
export function validateTaskPrompt({ name, description, instructions, project }: ValidateTaskData): string {
  return `# Look at a task before it is run

Another coding agent is to do the task below, in a fresh clone of this repository. Find out what it would stumble over.

${READ_ONLY_RULES}
- \`questions\`: what a person has to decide or tell before the work can be done right, each as one question that can be
  answered in a sentence. Not what the repository answers, and not what any good solution would do.
- \`suggestions\`: what would make the task better: a file it should name, a check it should ask for, a part that
  contradicts the repository, work that should be a task of its own. One sentence each, the most useful first.
- A task that is clear has none of either; empty lists are a good answer.
${projectSection(project)}${section('The task', `**${name}**\n\n${description ?? ''}`)}${section('Its instructions', instructions)}`
}
