import type { Wait } from '../core/agent/waiting.ts'
import type { ErrorCategory } from '../core/execution/result.ts'
import { ON_ACCEPT_WORDS } from '../core/enum-values.ts'
import { acceptEffect, storyAcceptEffect } from '../core/sentences/accept.ts'
import { WAITING } from '../core/sentences/waiting.ts'

interface Row {
  /** What stands in the message; `<…>` differs. */
  readonly message: string
  readonly cause: string
  readonly cure: string
}

const BY_ITSELF = 'nothing: it goes on by itself'

/** Why a task waits; a reason without a row does not compile. */
const WAITS: Readonly<Record<Wait['reason'], Row>> = {
  UnknownDependency: {
    message: WAITING.unknownTasks(['<name>']),
    cause: '`dependsOn` names a task that is not there',
    cure: 'create it, or correct `dependsOn`',
  },
  UnknownProject: {
    message: WAITING.unknownProject('<name>'),
    cause: 'the task names a project that is not there',
    cure: '`slipway add-project <name>`',
  },
  UnknownAgent: {
    message: WAITING.unknownAgent('<name>'),
    cause: 'the task names an agent that is not there',
    cure: 'create the agent, or name another in the task: `slipway edit <task>`',
  },
  DependencyCycle: {
    message: WAITING.cycle(['<name>', '<other>', '<name>']),
    cause: 'their `dependsOn` form a circle',
    cure: 'remove one link of the circle',
  },
  StoryDone: {
    message: WAITING.storyDone,
    cause: 'nothing starts by itself in a story that is done',
    cure: 'move the story back, or run the task in another story',
  },
  Suspended: {
    message: `${WAITING.suspended}; ${WAITING.noAutoResume('<name>')}`,
    cause: '`suspend` of the task, or `autoResume: false` of its agent',
    cure: 'set `suspend` to false: `slipway edit <task>`; what failed goes on at once by `slipway resume <task>`, of FAILED and BUDGET_EXCEEDED',
  },
  WaitingForDependencies: {
    message: WAITING.tasks([{ name: '<name>', state: '<STATE>' }]),
    cause: 'that task is not READY or COMPLETED yet',
    cure: 'if it is PENDING or ended badly: `slipway restart <name>`, as the message says',
  },
  CheckedOut: {
    message: WAITING.checkedOut('<person>'),
    cause: 'that person goes on with the work by hand',
    cure: '`slipway handback <task>` in their folder, or `slipway checkout <task> --release`',
  },
  WaitingForSubtasks: {
    message: WAITING.tasks([{ name: '<name>', state: '<STATE>' }], 'subtask'),
    cause: 'the work of the task is done, that of its subtasks is not',
    cure: 'if one is PENDING or ended badly: `slipway restart <name>`',
  },
  WaitingForAgent: {
    message: `${WAITING.busy('<name>', ['<tasks>'])}; ${WAITING.turn(1)}; ${WAITING.noAgent}`,
    cause: 'every slot is taken, or no agent can work here',
    cure: '[more slots or another agent](../guides/two-agents.md); `slipway agents` says what each one lacks',
  },
  WaitingForPod: {
    message: WAITING.pod,
    cause: 'clone and session are still in use',
    cure: `${BY_ITSELF}; in a cluster, delete a pod that does not end by force`,
  },
  WaitingForBranch: {
    message: WAITING.branch('<branch>', '<repository>', '<task>'),
    cause: 'a branch has one writer at a time',
    cure: `${BY_ITSELF} when the other has ended`,
  },
  WaitingForEnvironment: {
    message: WAITING.environment({ project: '<name>', isBegun: true, lastSeconds: 200 }),
    cause: 'what the agent is to find installed changed, or was never prepared; all tasks of the project share it',
    cure: `${BY_ITSELF}; \`slipway env log <name>\` shows how far it is`,
  },
  WaitingForReview: {
    message: WAITING.reviewLimit({
      kind: 'project',
      name: '<name>',
      limit: 5,
      count: 5,
      oldest: '<task>',
      waitsFor: 'review',
    }),
    cause:
      '`maxAwaitingReview` of the project or of the agent: so many of its tasks are READY, wait for an answer, or failed their checks',
    cure: 'review that task: `slipway accept`, `slipway revise` or `slipway reject`, or answer it; or set a higher limit',
  },
  WaitingForClassification: {
    message: `${WAITING.choosing}; ${WAITING.asked('<name>')}`,
    cause: 'the choice of an agent is under way',
    cure: BY_ITSELF,
  },
  AgentDrained: {
    message: WAITING.drained('<name>', '3 failures in a row, the last one: …'),
    cause: 'the agent failed three times, so it gets no work',
    cure: '`slipway logs <task>`; mend the cause; `slipway undrain <name>`',
  },
  AgentRateLimited: {
    message: WAITING.limited('<name>', '<time>'),
    cause: 'a limit of the provider',
    cure: `${BY_ITSELF} at that time; \`slipway undrain <name>\` tries it at once`,
  },
  RetryScheduled: {
    message: WAITING.retry('<time>'),
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
  checks: {
    cause: 'a required check of the project is red, and the agent has mended it in no round',
    cure: '`slipway revise <task>` asks for a mend, `slipway resume <task>` checks again, `slipway waive <task>` overrules',
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
