/** How the checks of a task's work ended, and what they printed. */
import { plainOutput } from '../../core/execution/check-output.ts'
import type { Execution } from '../../core/rest/client/client.ts'
import { checkWords, waivedWords } from '../../core/sentences/checks.ts'
import { shortCommit } from '../../core/text.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { oneLine, printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

type Check = NonNullable<Execution['checks']>[number]

export const checksCommand: ClientCommand = {
  kind: 'client',
  name: 'checks',
  summary: 'Show how the checks of a task went, or what one printed',
  details: [
    'Of its latest run that was checked, each round. A red required check goes back to the agent in the same session, as often as',
    'the project allows; then the task fails, and its work is kept. slipway revise <task> asks for a mend, slipway resume <task>',
    'checks again, slipway waive <task> has the work delivered as it is.',
  ].join('\n'),
  examples: [
    'slipway checks add-login',
    'slipway checks add-login --log test',
    'slipway checks add-login --log test --round 1',
  ],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [
    { name: 'log', value: 'check', description: 'What that check printed, in its last round' },
    { name: 'round', value: 'n', description: 'Only that round, from 1' },
  ],
  async run(invocation) {
    const { session, terminal, signal, style, words, values } = invocation
    const id = words[0] ?? ''
    const round = readRound(values.get('round'))
    const task = await session.api.getTask({ params: { id } }, { signal })
    const execution = await findChecked(invocation, id)
    const { checks = [] } = execution ?? {}
    const chosen = checks.filter((check) => round === undefined || check.round === round)
    if (round !== undefined && chosen.length === 0)
      throw new UsageError(`checks: ${id} has no round ${round}${checks.length === 0 ? ': nothing was checked' : ''}`)
    const name = values.get('log')
    if (name !== undefined) return showLog(invocation, execution, chosen, name)
    print(terminal, session.form, chosen, () => {
      if (chosen.length === 0) return `${id} was not checked. Its project says what is: slipway edit --project <name>\n`
      const waived = task.checks_waived === undefined ? '' : `\n${oneLine(waivedWords(task.checks_waived), 4200)}\n`
      return `${table(['CHECK', 'ROUND', 'STATE', 'COMMIT', 'REASON'], chosen.map(rowOf), style)}${waived}`
    })
    return 0
  },
}

function rowOf(check: Check): string[] {
  const { name, round, commit = '', reason = '' } = check
  const words = checkWords(check, systemClock.now().getTime())
  return [name, String(round), words, shortCommit(commit), reason]
}

/** The latest run that was checked: the delivery of waived work is not. */
async function findChecked({ session, signal }: ClientInvocation, id: string): Promise<Execution | undefined> {
  const executions = await session.api.listTaskExecutions({ params: { id } }, { signal })
  return executions.find(({ checks = [] }) => checks.length > 0)
}

async function showLog(
  { session, terminal, signal }: ClientInvocation,
  execution: Execution | undefined,
  checks: readonly Check[],
  name: string,
): Promise<number> {
  const check = checks.findLast((one) => one.name === name)
  if (execution === undefined || check === undefined) {
    const names = [...new Set(checks.map((one) => one.name))]
    throw new UsageError(
      `checks: no check ${name} ran; ${names.length === 0 ? 'none did' : `there is ${names.join(', ')}`}`,
    )
  }
  const params = { id: execution.id, round: String(check.round), name }
  const log = await session.api.getCheckLog({ params }, { signal })
  print(terminal, session.form, { log }, () => printable(plainOutput(log)))
  return 0
}

function readRound(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`checks: --round is a number from 1, not ${text}`)
  return Number(text)
}
