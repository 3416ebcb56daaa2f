import type { OfferedAgent, PromptProject } from './parts.ts'
import { agentsSection, DECIDE_RULE, projectSection, READ_ONLY_RULES, section } from './parts.ts'

/** What an agent is told that turns a person's words into the plan of a story. */
export interface ElaborateStoryData {
  readonly prompt: string
  readonly project: PromptProject
  readonly agents: readonly OfferedAgent[]
}

/** The prompt; the runner adds the form of the answer. */
export function elaborateStoryPrompt({ prompt, project, agents }: ElaborateStoryData): string {
  return `# Plan a story

A story is a piece of work that people see and accept as a whole. It is done by coding agents, task after task, on one
branch: each task starts from what the one before it left there. An agent knows the story's \`spec\`, its acceptance
criteria and its own task, and nothing else.

${READ_ONLY_RULES}
${DECIDE_RULE}
- \`name\`: one line that says what people will have.
- \`branch_name\`: a new branch for it, such as \`story/export-as-csv\`; never the default branch.
- \`spec\`: Markdown. What the story is to achieve and why, what belongs to it and what does not, and the decisions that all
  its tasks must share.
- \`acceptance_criteria\`: what must hold at the end, one sentence each, each of which somebody can check and which can fail.
- \`tasks\`: in the order in which they are done, as few as make sense, each one whole and leaving the repository working.
  \`description\` says what is to change, where, and how one sees that it is done. \`subtasks\` only for a task that is too large
  for one agent; most tasks have none.
- \`agent\` of a task: leave it out, unless the request names one of the agents below or the hint of one clearly fits best.
- \`validation\`: how the finished story is checked: \`type\` in one word (test, build, smoke, manual), \`steps\` as commands or actions
  in order, and \`success_criteria\`: what one sees when it is right.
${projectSection(project)}${agentsSection(agents)}${section('The request', prompt)}`
}
