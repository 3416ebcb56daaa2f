import { ageOf, formatCost, formatTook } from '../../core/sentences/amounts.ts'
import type { Execution } from '../../core/rest/client/client.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'

export const executionsCommand: ClientCommand = {
  kind: 'client',
  name: 'executions',
  summary: 'List the executions of a task, newest first',
  prints: 'execution',
  details: 'slipway logs shows what the newest one printed.',
  examples: ['slipway executions add-login'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [],
  async run({ session, terminal, signal, style, words: [id = ''] }) {
    const executions = await session.api.listTaskExecutions({ params: { id } }, { signal })
    const isNew = executions.length === 0
    print(terminal, session.form, executions, () =>
      isNew
        ? `${id} has not run yet. Run it: slipway restart ${id}\n`
        : executionTable(executions, systemClock.now(), style),
    )
    return 0
  },
}

/** Executions, one in each row. */
export function executionTable(executions: readonly Execution[], now: Date, style: Style): string {
  const rows = executions.map((execution) => {
    const { id, state, agent = '', purpose, cost_usd, created_at, error = '' } = execution
    return [
      id,
      state,
      agent,
      purpose,
      ageOf(created_at, now),
      formatTook(execution) ?? '',
      formatCost(cost_usd) ?? '',
      error,
    ]
  })
  return table(['EXECUTION', 'STATE', 'AGENT', 'PURPOSE', 'AGE', 'TOOK', 'COST', 'ERROR'], rows, style)
}
