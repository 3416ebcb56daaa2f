import type { OfferedAgent, PromptProject } from './parts.ts'
import { agentsSection, DECIDE_RULE, projectSection, READ_ONLY_RULES, section } from './parts.ts'

/** What an agent is told that turns a person's words into a task. */
export interface ElaborateTaskData {
  readonly prompt: string
  readonly project?: PromptProject | undefined
  readonly agents: readonly OfferedAgent[]
}

/** The prompt; the runner adds the form of the answer. */
export function elaborateTaskPrompt({ prompt, project, agents }: ElaborateTaskData): string {
  return `# Turn a request into a task

Another coding agent will do the work later, in a fresh clone of this repository, and will know nothing of it but the
name and the description that you write now.

${READ_ONLY_RULES}
${DECIDE_RULE}
- \`name\`: one line, what is to be done, as in the subject of a commit.
- \`description\`: Markdown. What is to change and why; where (files, functions, tests); what must stay as it is; and how one
  sees that it is done: commands with the result they should have. All that the request asks for, and nothing more.
- \`agent\`: leave it out, unless the request names one of the agents below or the hint of one clearly fits best.
${projectSection(project)}${agentsSection(agents)}${section('The request', prompt)}`
}
