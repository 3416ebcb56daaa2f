import { ageOf } from '../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { formatTaskMessage } from '../client/outcome.ts'
import { print } from '../client/output.ts'
import type { Style } from '../client/style.ts'
import { indent, oneLine } from '../client/text.ts'
import { roundCommitsWords, roundsWords } from '../../core/sentences/checks.ts'
import { continuesWords } from '../../core/sentences/continues.ts'
import { messageWords } from '../../core/sentences/messages.ts'
import { executionTable } from './executions.ts'

export const showCommand: ClientCommand = {
  kind: 'client',
  name: 'show',
  summary: 'Show a task: where it stands, its runs, what can be done now',
  examples: ['slipway show add-login', 'slipway show add-login -o json'],
  prints: 'task',
  words: [{ name: 'task', mayBeShort: true }],
  flags: [],
  async run({ session, terminal, signal, style, words }) {
    const params = { id: words[0] ?? '' }
    const task = await session.api.getTask({ params }, { signal })
    const executions = session.form === 'table' ? await session.api.listTaskExecutions({ params }, { signal }) : []
    print(terminal, session.form, task, () => formatTask(task, executions, systemClock.now(), style))
    return 0
  },
}

function formatTask(task: Task, executions: readonly Execution[], now: Date, style: Style): string {
  const where = task.project === undefined ? task.repository_url : `project ${task.project}`
  const latest = executions.find(({ id }) => id === task.execution_id)
  const began = executions.find(({ continued }) => continued !== undefined)
  const facts = [
    ['Name', task.name],
    ['Works on', where],
    ['Agent', [task.agent?.type, task.agent?.model].filter((part) => part !== undefined).join(' ')],
    ['Story', task.story_id],
    ['Depends on', task.depends_on.join(', ')],
    ['Continues', began?.continued === undefined ? task.continues : beganWords(began.continued)],
    ['Waits', task.waiting_for],
    ['Checks', latest && formatRounds(latest, now)],
    ['Rejected', task.rejection_comment],
    ['By hand', task.checked_out && `checked out by ${task.checked_out.by}, ${ageOf(task.checked_out.at, now)} ago`],
    ['Created', `${ageOf(task.created_at, now)} ago`],
    ['Archived', task.archived_at && `${ageOf(task.archived_at, now)} ago`],
  ]
  const shown = facts.flatMap(([label = '', value = '']) =>
    value === '' ? [] : [`${`${label}:`.padEnd(12)}${oneLine(value, 2000)}`],
  )
  const description = task.description === undefined ? '' : `\n${indent(task.description, '  ')}\n`
  const runs = executions.length === 0 ? '' : `${executionTable(executions, now, style)}\n`
  return `${shown.join('\n')}\n${description}\n${runs}${formatTaskMessage(task, latest)}${formatMessages(task, now)}`
}

/** How many rounds of checks the run had, and the commit that each of them made. */
function formatRounds(latest: Execution, now: Date): string | undefined {
  const rounds = roundsWords(latest, now.getTime())
  const commits = roundCommitsWords(latest.checks ?? [])
  return commits === undefined ? rounds : [rounds, commits].filter((part) => part !== undefined).join(': ')
}

function beganWords({ task_id, told }: NonNullable<Execution['continued']>): string {
  return continuesWords({ task: task_id, told })
}

/** What people said, and the agent has not been given. */
function formatMessages({ state, messages = [], message_modes }: Task, now: Date): string {
  const run = message_modes !== undefined ? 'runs' : state === 'COMPLETED' ? 'past' : 'ended'
  const lines = messages.flatMap((message) => {
    const words = messageWords(message, run)
    const head = `${oneLine(message.by ?? 'somebody', 200)}, ${ageOf(message.at, now)} ago, ${words ?? ''}`
    return words === undefined ? [] : [`  ${head}: ${oneLine(message.text, 2000)}`]
  })
  return lines.length === 0 ? '' : `\nSaid to the agent:\n${lines.join('\n')}\n`
}
