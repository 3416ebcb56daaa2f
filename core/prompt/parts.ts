/** What the prompts for agents beside the tasks have in common. */

/** An agent that a task can be given to. */
export interface OfferedAgent {
  readonly name: string
  /** What it is good at, in its owner's words. */
  readonly hint?: string | undefined
}

/** What an agent is told about the project whose repository it reads. */
export interface PromptProject {
  readonly name: string
  readonly testCommand?: string | undefined
}

/** How an agent works that must not change anything. */
export const READ_ONLY_RULES = `- The current directory is a throw-away clone of the repository, or empty when there is none. Read what you need of it: the README, the layout, the code concerned, its tests, its conventions. Change nothing.`

/** What an agent does about what it cannot ask. */
export const DECIDE_RULE = `- Nobody can answer you now. Decide yourself what the request leaves open, in the way that fits the repository best, and say so.`

/** Text that is not ours, under a heading of its own; nothing where there is none. */
export function section(title: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `\n## ${title}\n\n${text.trim()}\n`
}

/** The section about the project. */
export function projectSection(project: PromptProject | undefined): string {
  if (project === undefined) return ''
  const { name, testCommand } = project
  const check = testCommand === undefined ? '' : `\nIts work is checked with: \`${testCommand}\``
  return section('The project', `${name}${check}`)
}

/** The section about agents that tasks can be given to. */
export function agentsSection(agents: readonly OfferedAgent[]): string {
  const lines = agents.map(({ name, hint }) => `- ${name}${hint === undefined ? '' : `: ${hint}`}`)
  return section('Agents that tasks can be given to', lines.join('\n'))
}
