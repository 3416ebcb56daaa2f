/**
 * What an agent is told: the whole prompt for a fresh start, and what has happened since for a session that goes on.
 *
 * Both are files that the runner hands to the CLI on stdin. Text of people and of other agents is quoted under
 * headings of its own, never mixed into ours.
 */
import type { Execution, ExecutionState, Project, Story, Task } from '../crd/types.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'
import { clampText } from '../transcript/summary.ts'

/** What a prompt is made of. */
export interface PromptSources {
  readonly task: Task
  readonly adapter: string
  readonly project?: Project | undefined
  readonly story?: Story | undefined
  /** The tasks that this one depends on, as far as they exist. */
  readonly dependencies?: readonly Task[]
  /** The execution before this one: resumed, rejected or failed. */
  readonly previous?: Execution | undefined
}

/** The text of prompt.md; for a script the script itself, verbatim. */
export function makePrompt(sources: PromptSources): string {
  const { task, adapter, project, story, dependencies = [], previous } = sources
  const { instructions } = agentWish(task)
  if (adapter === SCRIPT_AGENT) return instructions ?? ''
  const { title, description } = task.spec
  return join([
    `# ${title}`,
    description,
    section('Instructions', instructions),
    ...storySections(story),
    section('Work that this builds on', list(dependencies.flatMap(describeDependency))),
    section('Check your work with', project?.spec.testCommand && `\`${project.spec.testCommand}\``),
    section('Earlier work on this task was rejected', task.status?.rejectionComment),
    ...historySections(task, previous),
    RULES,
  ])
}

/** What a session is told that is taken up again, by how it stopped. */
export function makeResumePrompt({ task, previous }: Pick<PromptSources, 'task' | 'previous'>): string {
  const { answer } = task.status ?? {}
  if (answer !== undefined && answer !== '') return `${ANSWERED}\n\n${answer}\n`
  const { state, error } = previous?.status ?? {}
  return `${GO_ON[state ?? 'FAILED'] ?? GO_ON.FAILED}${error === undefined ? '' : `\n\nIt ended with: ${error.message}`}\n`
}

const ANSWERED = 'Your question was answered. Go on with the task, using this answer:'

const GO_ON: Readonly<Partial<Record<ExecutionState, string>>> & { readonly FAILED: string } = {
  TIMED_OUT: 'You ran out of time and were stopped. Look at what you have done so far, and finish the task.',
  CANCELLED:
    'A person stopped you, and now wants you to go on. Look at what you have done so far, and finish the task.',
  BUDGET_EXCEEDED: 'A usage limit stopped you. It is over: go on where you stopped, and finish the task.',
  FAILED: 'You were interrupted. Look at what you have done so far, and finish the task.',
}

const RULES = `## How to work here

- Work in the current directory, a clone of the repository. You may commit; what you leave uncommitted is committed for you. Do not push and do not switch branches.
- If a decision is missing that only a person can take, write {"text": "your question", "options": ["…"]} to the file named by $SERVICE_QUESTION_FILE (or use your question tool) and stop. The answer comes later, in this session.
- When you are done, write a short summary of what you did and why to the file named by $SERVICE_SUMMARY_FILE.`

function storySections(story: Story | undefined): (string | undefined)[] {
  if (story === undefined) return []
  const { title, spec, acceptanceCriteria } = story.spec
  return [
    section('Story', join([`This task is part of the story “${title}”.`, spec]).trimEnd()),
    section('Acceptance criteria of the story', list(acceptanceCriteria ?? [])),
  ]
}

const MAX_QUOTED = 4000

function describeDependency({ spec, status }: Task): string[] {
  const { summary, branch } = status ?? {}
  const where = branch === undefined ? '' : ` (branch ${branch})`
  return [`${spec.title}${where}${summary === undefined ? '' : `: ${clampText(summary, MAX_QUOTED)}`}`]
}

/** The story so far: for an attempt that starts anew, and for a session that was lost. */
function historySections({ status }: Task, previous: Execution | undefined): (string | undefined)[] {
  if (previous === undefined) return []
  const { summary, error, questions } = previous.status ?? {}
  const asked = questions?.map(({ text }) => text) ?? []
  return [
    section('What an earlier attempt reported', summary && clampText(summary, MAX_QUOTED)),
    section('How the earlier attempt ended', error?.message),
    section('What the earlier attempt asked', list(asked)),
    section('The answer', asked.length === 0 ? undefined : status?.answer),
  ]
}

function section(title: string, text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : `## ${title}\n\n${text}`
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function join(parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`
}
