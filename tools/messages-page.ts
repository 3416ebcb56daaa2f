import type { Wait } from '../core/agent/waiting.ts'
import type { ErrorCategory } from '../core/execution/result.ts'
import { ON_ACCEPT_WORDS } from '../core/rest/enum-values.ts'
import { acceptEffect, storyAcceptEffect } from '../core/sentences/accept.ts'

interface Row {
  /** What stands in the message, as the code words it; `<…>` differs. */
  readonly message: string
  readonly cause: string
  readonly cure: string
}

const BY_ITSELF = 'nothing: it goes on by itself'

/** Why a task waits; a reason without a row does not compile. */
const WAITS: Readonly<Record<Wait['reason'], Row>> = {
  UnknownDependency: {
    message: 'task <name> does not exist',
    cause: '`dependsOn` names a task that is not there',
    cure: 'create it, or correct `dependsOn`',
  },
  UnknownProject: {
    message: 'project <name> does not exist',
    cause: 'the task names a project that is not there',
    cure: '`slipway add-project <name>`',
  },
  UnknownAgent: {
    message: 'agent <name> does not exist',
    cause: 'the task names an agent that is not there',
    cure: 'create the agent, or name another in the task: `slipway edit <task>`',
  },
  DependencyCycle: {
    message: 'tasks wait for one another: <names>',
    cause: 'their `dependsOn` form a circle',
    cure: 'remove one link of the circle',
  },
  StoryDone: {
    message: 'story is DONE',
    cause: 'nothing starts by itself in a story that is done',
    cure: 'move the story back, or run the task in another story',
  },
  Suspended: {
    message: 'the task is suspended; agent <name> does not resume by itself',
    cause: '`suspend` of the task, or `autoResume: false` of its agent',
    cure: 'set `suspend` to false: `slipway edit <task>`; what failed goes on at once by `slipway resume <task>`, of FAILED and BUDGET_EXCEEDED',
  },
  WaitingForDependencies: {
    message: 'waits for task <name> (<STATE>)',
    cause: 'that task is not READY or COMPLETED yet',
    cure: 'if it is PENDING or ended badly: `slipway restart <name>`, as the message says',
  },
  WaitingForSubtasks: {
    message: 'waits for subtask <name> (<STATE>)',
    cause: 'the work of the task is done, that of its subtasks is not',
    cure: 'if one is PENDING or ended badly: `slipway restart <name>`',
  },
  WaitingForAgent: {
    message: 'agent <name> is busy with <tasks>; 2nd in line; no agent is available: …',
    cause: 'every slot is taken, or no agent can work here',
    cure: '[more slots or another agent](../guides/two-agents.md); `slipway agents` says what each one lacks',
  },
  WaitingForPod: {
    message: 'the pod of an earlier execution has not ended yet',
    cause: 'clone and session are still in use',
    cure: `${BY_ITSELF}; in a cluster, delete a pod that does not end by force`,
  },
  WaitingForBranch: {
    message: 'branch <branch> of <repository> is written by <task>',
    cause: 'a branch has one writer at a time',
    cure: `${BY_ITSELF} when the other has ended`,
  },
  WaitingForClassification: {
    message: 'its agent is being chosen; agent <name> is asked which agent suits the task',
    cause: 'the choice of an agent is under way',
    cure: BY_ITSELF,
  },
  AgentDrained: {
    message: 'agent <name> is drained: 3 failures in a row, the last one: …',
    cause: 'the agent failed three times, so it gets no work',
    cure: '`slipway logs <task>`; mend the cause; `slipway undrain <name>`',
  },
  AgentRateLimited: {
    message: 'agent <name> is rate limited until <time>',
    cause: 'a limit of the provider',
    cure: `${BY_ITSELF} at that time; \`slipway undrain <name>\` tries it at once`,
  },
  RetryScheduled: {
    message: 'tried again at <time>',
    cause: 'a limit or a lost pod ended the last attempt',
    cure: `${BY_ITSELF}; \`slipway resume <task>\`, of FAILED and BUDGET_EXCEEDED, does not wait`,
  },
}

/** Why a task failed; a category without a row does not compile. */
const FAILURES: Readonly<Record<ErrorCategory, Omit<Row, 'message'>>> = {
  quota: {
    cause: 'a usage limit, a daily quota or the credit is used up',
    cure: `${BY_ITSELF} when it ends; the message says when`,
  },
  budget: { cause: 'the task has spent its `budget_usd`', cure: '[raise it and resume](../guides/limits.md#budget)' },
  rate_limit: {
    cause: 'the provider throttles or is overloaded',
    cure: `${BY_ITSELF} while attempts are left; then \`slipway resume <task>\``,
  },
  timeout: {
    cause: 'the agent worked longer than its time limit',
    cure: '`slipway resume <task>`, or [a longer time](../guides/limits.md#time-out)',
  },
  git: {
    cause: 'clone, rebase or push failed; the message names the remote',
    cure: '[credentials](../guides/private-repository.md); then `slipway resume <task>`',
  },
  auth: {
    cause: 'the provider refused the login',
    cure: 'log in again or change the key, start Slipway again, `slipway resume <task>`',
  },
  credentials: {
    cause: 'a login, or a key of a Secret, is missing',
    cure: '`slipway agents` names it; provide it, then `slipway restart <task>`',
  },
  no_repository: {
    cause: 'the task has neither a project nor a repository',
    cure: '`slipway run … --project <name>`, or `--repo <path or URL>`',
  },
  cancelled: { cause: 'a person cancelled it', cure: '`slipway restart <task>`' },
  lost: {
    cause: 'its pod or this machine went away',
    cure: `${BY_ITSELF} while attempts are left; then \`slipway resume <task>\``,
  },
  unavailable: {
    cause: 'the agent cannot work here: no program, no isolation, no image',
    cure: '`slipway doctor` and `slipway agents` say what is missing',
  },
  failed: {
    cause: 'the program ended without success; the message is its own',
    cure: '`slipway logs <task>`; then `slipway resume <task>` or `slipway restart <task>`',
  },
}

/** docs/operate/messages.md: what a waiting or failed task says, and what to do. */
export function renderMessagesPage(): string {
  return [
    '# What a waiting or failed task says',
    '',
    '<!-- Generated by `npm run generate` from tools/messages-page.ts. -->',
    '',
    '`slipway show <task>` prints these messages, and so do the board and `kubectl get tasks.slipway.dev`. What fails in the cluster around',
    'the tasks is in [troubleshoot](troubleshoot.md).',
    '',
    '## It waits',
    '',
    'The reason is that of the condition; over REST `waiting_for` has the message.',
    '',
    '| reason | message | why | what to do |',
    '| --- | --- | --- | --- |',
    ...Object.entries(WAITS).map(([reason, { message, cause, cure }]) =>
      printRow([`\`${reason}\``, `\`${message}\``, cause, cure]),
    ),
    '',
    '## It failed',
    '',
    'The category is `error_category` over REST. The message behind it is for this failure and ends with what to do',
    '([what each program says](../agents.md#how-an-execution-ends)).',
    '',
    '| category | why | what to do |',
    '| --- | --- | --- |',
    ...Object.entries(FAILURES).map(([category, { cause, cure }]) => printRow([`\`${category}\``, cause, cure])),
    '',
    '## It is READY',
    '',
    'What **accept** does depends on the project and on what the task belongs to. `slipway accept`, the buttons and the inbox say it in these',
    'words ([delivery](../delivery.md#after-accept)).',
    '',
    '| what | `onAccept` | accept |',
    '| --- | --- | --- |',
    ...Object.entries(ON_ACCEPT_WORDS).map(([kind, on_accept]) =>
      printRow(['a task', `\`${kind}\``, acceptEffect({ branch: 'its branch' }, { on_accept }).words]),
    ),
    printRow(['a task of a story', 'any', acceptEffect({ branch: "the story's branch", story_id: '' }, 'none').words]),
    printRow(['a story', '`Merge`', storyAcceptEffect({ branch_name: 'its branch' }, { on_accept: 'merge' }).words]),
    '',
  ].join('\n')
}

function printRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
