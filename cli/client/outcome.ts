import { formatChanges, formatCost, formatTook } from '../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { deliveryWords } from '../../core/sentences/accept.ts'
import { checksMark, protectedWords, waivedWords } from '../../core/sentences/checks.ts'
import { ciWords } from '../../core/sentences/ci.ts'
import { bulkWords, foreignWords, formatUndelivered, hiddenWords } from '../../core/sentences/review.ts'
import { EXECUTION_STATE_IS_FINAL } from '../../core/enum-values.ts'
import { askedForWords } from '../../core/task/revision.ts'
import { failedServersText } from '../../core/transcript/own-words.ts'
import { DECISION_TYPED, typedHandback, typedRelease } from '../../core/typed-commands.ts'
import { indent, oneLine, printable } from './text.ts'

/** Exit codes of commands that follow a task, by its last state; usage errors are 2, Ctrl-C is 130. */
export const EXIT_CODES = {
  READY: 0,
  COMPLETED: 0,
  FAILED: 1,
  BLOCKED: 3,
  TIMED_OUT: 4,
  CANCELLED: 5,
  BUDGET_EXCEEDED: 6,
  // A person has rejected the work meanwhile.
  PENDING: 1,
  // It did not start in the time of `--wait-start`.
  QUEUED: 7,
  RUNNING: 1,
} as const satisfies Record<Task['state'], number>

/** Exit code of a wait whose time is over. */
export const WAITED_TOO_LONG = 8

/** Exit code of a command that Ctrl-C ended. */
export const DETACHED = 130

/**
 * Formats a task that has come to rest: its facts, and what a person can do now.
 *
 * @param execution the one that the task names, where there is one
 */
export function formatTaskMessage(task: Task, execution?: Execution): string {
  const { failed_servers: servers = [], environment } = execution ?? {}
  const notes = [
    task.delivery && deliveryWords(task.delivery),
    conflictWords(task),
    environment?.problem,
    task.checks_waived && waivedWords(task.checks_waived),
    servers.length === 0 ? undefined : failedServersText(servers),
    formatUndelivered(execution?.undelivered, execution?.undelivered_count),
    bulkWords(task),
    ...failedRuns(task),
  ].filter((text) => text !== undefined)
  const facts = [
    formatChanges(task.changes),
    task.branch && `branch ${printable(task.branch)}`,
    formatCost(task.cost_usd),
    formatTook(task),
    task.checks_waived === undefined ? checksMark(task.checks)?.words : undefined,
    task.ci && oneLine(ciWords(task.ci), 400),
    task.protected_changes && protectedWords(task.protected_changes),
    foreignWords(task),
    hiddenWords(task),
  ].filter((text) => text !== undefined)
  const lines = [
    `${task.id} ${task.state}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`,
    ...(task.summary === undefined ? [] : [indent(task.summary, '  ')]),
    ...(task.error === undefined ? [] : [indent(`${task.error_category ?? 'error'}: ${task.error}`, '  ')]),
    ...notes.map((text) => `  ${oneLine(text, 4000)}`),
    ...(task.state === 'BLOCKED' ? formatQuestionLines(task) : []),
    ...(task.compare_url === undefined ? [] : [`  ${printable(task.compare_url)}`]),
    ...formatNextCommands(task),
  ]
  return `${lines.join('\n')}\n`
}

/** That the work was pushed although it conflicts with what it goes to; nothing once its delivery says so itself. */
function conflictWords({ rebase, delivery }: Task): string | undefined {
  if (rebase?.result !== 'conflict' || delivery !== undefined) return undefined
  return `conflicts with its base: ${rebase.files.join(', ')}`
}

/** Where the logs of CI runs that failed are. */
function failedRuns({ ci }: Task): string[] {
  const failed = ci?.runs.filter(({ state }) => state === 'failed') ?? []
  return failed.map(({ name, url }) => `CI ${name} failed${url === undefined ? '' : `: ${url}`}`)
}

/** Formats what the output of an execution does not tell: that there is none, and why it failed; "" for neither. */
export function formatLogEnd(execution: Execution, isSilent: boolean): string {
  const { id, state, error, error_category, exit_code } = execution
  if (!isSilent && error === undefined) return ''
  // The agent itself may have ended well.
  const agentsCode = exit_code === undefined ? '' : ` (exit code ${exit_code})`
  const code = error_category === 'checks' ? ' (checks are red)' : agentsCode
  const silence = isSilent ? `: no output${EXECUTION_STATE_IS_FINAL[state] ? '' : ' yet'}` : ''
  const reason = error === undefined ? '' : `${indent(`${error_category ?? 'error'}: ${error}`, '  ')}\n`
  return `${id} ${state}${code}${silence}\n${reason}`
}

/** The questions of a task with their options, numbered for a person to choose. */
export function formatQuestionLines({ question, question_items }: Task): string[] {
  return formatItemLines(question_items ?? (question === undefined ? [] : [{ text: question }]))
}

function formatItemLines(items: NonNullable<Task['question_items']>): string[] {
  return items.flatMap(({ text, options = [] }) => [
    indent(text, '  ? '),
    ...options.map((option, i) => `    ${i + 1}. ${oneLine(option, 200)}`),
  ])
}

/** What an execution asked at its end; "" for nothing. */
export function formatAsked({ questions = [] }: Execution): string {
  return formatItemLines(questions)
    .map((line) => `${line}\n`)
    .join('')
}

/** What a person told the agent that an execution began with, an answer or changes to make, who and when; "" for nothing. */
export function formatTold({ answer, revision }: Execution): string {
  return `${formatSaid(askedForWords(revision?.text ?? ''), revision)}${formatSaid('answered', answer)}`
}

function formatSaid(what: string, said: Execution['answer']): string {
  if (said === undefined) return ''
  return `${indent(said.text, '  > ')}\n    ${what} by ${oneLine(said.by ?? 'a person', 200)}, ${said.at}\n`
}

function formatNextCommands({ id, state, actions, execution_id, archived_at, checked_out }: Task): string[] {
  if (archived_at !== undefined) return [formatNext([`slipway restore ${id}`]).trimEnd()]
  const isWork = state === 'READY' && execution_id !== undefined
  const allowed: readonly string[] = actions
  const isRed = allowed.includes('waive')
  // What is red is seldom so by chance: to check it again comes last.
  const isLast = (action: string): number => Number(isRed && action === 'resume')
  const decisions = Object.entries(DECISION_TYPED)
    .filter(([action]) => allowed.includes(action))
    .toSorted(([one], [other]) => isLast(one) - isLast(other))
  const looks = [...(isWork ? [`slipway diff ${id}`] : []), ...(isRed ? [`slipway checks ${id}`] : [])]
  const holds =
    checked_out === undefined ? [] : [`${typedHandback(id)}  # in the folder of the checkout`, typedRelease(id)]
  const ways = [...looks, ...holds, ...decisions.map(([, type]) => type(id))]
  return ways.length === 0 ? [] : [formatNext(ways).trimEnd()]
}

/** Commands that a person may want to type next, below an empty line; nothing for none. */
export function formatNext(commands: readonly string[]): string {
  return commands.length === 0
    ? ''
    : `\n${commands.map((way, i) => `${i === 0 ? 'Next: ' : '      '}${way}\n`).join('')}`
}
