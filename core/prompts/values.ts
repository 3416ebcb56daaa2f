import type { PromptName } from './templates.ts'

/** A name that templates may use, and what stands there; `[]` means each of a list. */
export interface PromptValue {
  readonly path: string
  readonly meaning: string
}

/** How an earlier execution ended, as far as the next one should know; exactly one is true. */
const CAUSES = {
  answered: 'it asked a person, who has answered',
  limit: 'a usage limit or an overload of the provider, which is over',
  budget: 'the budget of the task was spent',
  timedOut: 'it exceeded its time limit',
  cancelled: 'a person stopped it',
  lost: 'its pod or machine vanished',
  rejected: 'its work was delivered, and a person rejected it',
  revised: 'a person asked for changes in its work',
  failed: 'any other failure',
  stopped: 'it ended otherwise',
} as const
export type Cause = keyof typeof CAUSES

/** What the prompts of a task's executions are made of: the fields of TaskPromptData (task-data.ts). */
const OF_A_TASK: readonly PromptValue[] = [
  { path: 'task.name', meaning: 'id of the task' },
  { path: 'task.title', meaning: 'its title' },
  { path: 'task.description', meaning: 'its description' },
  { path: 'task.instructions', meaning: 'the instructions of its author' },
  { path: 'story.title', meaning: 'title of the story that the task belongs to' },
  { path: 'story.spec', meaning: 'the goal of the story' },
  { path: 'story.acceptanceCriteria', meaning: 'its acceptance criteria, a list of texts' },
  { path: 'continues', meaning: 'the accepted task that this one goes on from' },
  { path: 'continues.inSession', meaning: 'true: the agent goes on in a copy of the session in which it did that' },
  { path: 'continues.name', meaning: 'id of that task' },
  { path: 'continues.title', meaning: 'its title' },
  { path: 'continues.state', meaning: 'its state' },
  { path: 'continues.branch', meaning: 'the branch with its work' },
  { path: 'continues.changes', meaning: 'the size of its change' },
  { path: 'continues.summary', meaning: 'what its agent reported, cut at 4,000 characters' },
  { path: 'continues.merged', meaning: 'the commit that it was merged as; absent: it was not merged' },
  { path: 'continues.url', meaning: 'the page of its pull request' },
  { path: 'dependencies', meaning: 'the tasks that this one depends on, a list' },
  { path: 'dependencies[].name', meaning: 'id of such a task' },
  { path: 'dependencies[].title', meaning: 'its title' },
  { path: 'dependencies[].state', meaning: 'its state' },
  { path: 'dependencies[].branch', meaning: 'the branch with its work' },
  { path: 'dependencies[].changes', meaning: 'the size of the change, as `3 files changed (+10 −2)`' },
  { path: 'dependencies[].summary', meaning: 'what its agent reported, cut at 4,000 characters' },
  { path: 'project.title', meaning: 'title of the project' },
  { path: 'project.testCommand', meaning: 'the command that checks it' },
  { path: 'agent.name', meaning: 'name of the agent' },
  { path: 'agent.model', meaning: 'the model chosen for the task; absent: the program’s default' },
  { path: 'agent.allowedTools', meaning: 'the tools it may use, a list; absent: no limit' },
  { path: 'rejection', meaning: 'present if delivered work was rejected' },
  { path: 'rejection.comment', meaning: 'the comment of the person, with line comments' },
  { path: 'revision', meaning: 'present until the changes that a person asked for are made' },
  { path: 'revision.comment', meaning: 'the comment of the person, with line comments; of several, each below the name of who asked' },
  { path: 'earlier', meaning: 'the previous execution, on a further attempt' },
  ...Object.entries(CAUSES).map(([cause, meaning]) => ({ path: `earlier.${cause}`, meaning: `true: ${meaning}` })),
  { path: 'earlier.message', meaning: 'the error that it ended with' },
  { path: 'earlier.summary', meaning: 'what its agent reported, cut at 4,000 characters' },
  { path: 'earlier.questions', meaning: 'what it asked, a list of texts' },
  { path: 'earlier.answer', meaning: 'what a person answered' },
]

/** With the fields of ChecksPromptData (checks-data.ts). */
const OF_CHECKS: readonly PromptValue[] = [
  ...OF_A_TASK,
  { path: 'red', meaning: 'the required checks that are red, a list' },
  { path: 'red[].name', meaning: 'name of such a check' },
  { path: 'red[].why', meaning: 'why it is red, in a few words, such as `exit code 1`' },
  { path: 'red[].exitCode', meaning: 'what it ended with; absent where it was killed' },
  { path: 'red[].run', meaning: 'its program, indented, cut at 4,000 characters' },
  { path: 'red[].output', meaning: 'the last 8 KiB of what it printed, indented; absent where it printed nothing' },
  { path: 'red[].leftOut', meaning: 'what is left out before that, such as `1,204 lines`; absent: nothing' },
  { path: 'isLast', meaning: 'true: a person decides if a check is red after this round' },
]

const OF_A_PROJECT: readonly PromptValue[] = [
  { path: 'project.title', meaning: 'title of the project' },
  { path: 'project.testCommand', meaning: 'the command that checks it' },
]

/** The fields of RequestPromptData (query-data.ts). */
const OF_A_REQUEST: readonly PromptValue[] = [
  { path: 'request', meaning: 'the request, as the person wrote it' },
  ...OF_A_PROJECT,
  { path: 'agents', meaning: 'the agents that a task can be given to, a list' },
  { path: 'agents[].name', meaning: 'name of such an agent' },
  { path: 'agents[].hint', meaning: 'the hint of its Agent' },
]

/** The fields of ValidatePromptData (query-data.ts). */
const OF_A_VALIDATION: readonly PromptValue[] = [
  { path: 'task.title', meaning: 'title of the task' },
  { path: 'task.description', meaning: 'its description' },
  { path: 'task.instructions', meaning: 'the instructions of its author' },
  ...OF_A_PROJECT,
]

/** The fields of EvaluatePromptData (evaluation-data.ts). */
const OF_AN_EVALUATION: readonly PromptValue[] = [
  { path: 'role.first', meaning: 'true: it is the first to evaluate' },
  { path: 'role.second', meaning: 'true: another agent found that the criteria do not hold' },
  { path: 'role.arbiter', meaning: 'true: two agents differ about the criteria' },
  { path: 'story.title', meaning: 'title of the story' },
  { path: 'story.branch', meaning: 'the branch with its work' },
  { path: 'story.spec', meaning: 'the goal of the story' },
  { path: 'criteria', meaning: 'the criteria to evaluate, a list' },
  { path: 'criteria[].id', meaning: 'the id of a criterion in the answer' },
  { path: 'criteria[].text', meaning: 'its text' },
  { path: 'criteria[].first.verdict', meaning: 'the verdict of the first agent: pass, fail or unknown' },
  { path: 'criteria[].first.evidence', meaning: 'why, as JSON text' },
  { path: 'criteria[].second.verdict', meaning: 'the verdict of the second agent' },
  { path: 'criteria[].second.evidence', meaning: 'why, as JSON text' },
  { path: 'check', meaning: 'how the story is checked; absent if it does not say' },
  { path: 'check.type', meaning: 'the kind of check, in a word' },
  { path: 'check.steps', meaning: 'its steps, a list of texts' },
  { path: 'check.successCriteria', meaning: 'when the check has passed' },
  ...OF_A_PROJECT,
]

/** The fields of ClassifyPromptData (evaluation-data.ts). */
const OF_A_CLASSIFICATION: readonly PromptValue[] = [
  { path: 'task.title', meaning: 'title of the task' },
  { path: 'task.description', meaning: 'its description, cut at 8,000 characters' },
  { path: 'agents', meaning: 'the agents that could take it, a list' },
  { path: 'agents[].name', meaning: 'name of such an agent' },
  { path: 'agents[].busy', meaning: 'how many tasks it has before this one' },
  { path: 'agents[].hint', meaning: 'the hint of its Agent' },
]

/** What each template may name. A template of prompts/ without a row here does not compile. */
export const PROMPT_VALUES = {
  task: OF_A_TASK,
  resume: OF_A_TASK,
  checks: OF_CHECKS,
  elaborate: OF_A_REQUEST,
  plan: OF_A_REQUEST,
  validate: OF_A_VALIDATION,
  evaluate: OF_AN_EVALUATION,
  classify: OF_A_CLASSIFICATION,
} as const satisfies Readonly<Record<PromptName, readonly PromptValue[]>>

/** When each template is used. */
export const PROMPT_USES = {
  task: 'a fresh start: the first attempt, or a further one without a session',
  resume: 'a session that is resumed',
  checks:
    'a session whose work was checked, and a check is red; a session that was lost gets `task` before it',
  elaborate: 'a request for a task',
  plan: 'a request for the plan of a story',
  validate: 'a task that is checked before it is run',
  evaluate: 'a story in VALIDATING whose acceptance criteria are evaluated',
  classify: 'a task that an agent is chosen for, by an Agent with classifier.judges',
} as const satisfies Readonly<Record<PromptName, string>>
