import type { Task } from '../../core/rest/client/client.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import { noTasksText, taskTable } from '../client/task-table.ts'
import { UsageError } from '../command.ts'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { ageOf } from '../../core/sentences/amounts.ts'
import { shellWord } from '../../core/shell.ts'

const DEFAULT_LIMIT = 50

export const tasksCommand: ClientCommand = {
  kind: 'client',
  name: 'tasks',
  summary: 'List tasks, newest first',
  examples: ['slipway tasks --state READY', 'slipway tasks -o name | head -1'],
  prints: 'task',
  words: [],
  flags: [
    { name: 'state', short: 's', value: 'STATE', description: 'Only those in that state, such as READY' },
    { name: 'limit', value: 'count', description: `At most so many; default ${DEFAULT_LIMIT}` },
  ],
  async run({ session, terminal, signal, style, values }) {
    const given = values.get('state')
    const state = given === undefined ? undefined : readState('state', given)
    const limit = readLimit(values.get('limit'))
    let next: string | undefined
    const query = { limit, ...(state === undefined ? {} : { state }) }
    const onHeaders = (headers: Headers): void => {
      next = /^<([^>]+)>/.exec(headers.get('Link') ?? '')?.[1]
    }
    const tasks = await session.api.listTasks({ query }, { signal, onHeaders })
    const now = systemClock.now()
    const age = { heading: 'AGE', of: ({ created_at }: Task) => ageOf(created_at, now), now }
    print(terminal, session.form, tasks, () =>
      tasks.length === 0 ? `${noTasksText(state)}\n` : taskTable(tasks, age, style),
    )
    if (next === undefined) return 0
    // The archive begins on a page of its own, which no limit reaches.
    const isWhole = tasks.length < limit
    const more = `These are the newest ${limit}; --limit shows more.`
    terminal.err(`${isWhole ? `Archived tasks are listed by: slipway api ${shellWord(next)}` : more}\n`)
    return 0
  },
}

/** In capitals or not. @throws UsageError that names the flag and the states */
export function readState(flag: string, text: string): Task['state'] {
  const state = TASK_STATE_VALUES.find((known) => known === text.trim().toUpperCase())
  if (state === undefined)
    throw new UsageError(`--${flag} must be one of ${TASK_STATE_VALUES.join(', ')}, not ${JSON.stringify(text)}`)
  return state
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError(`--limit must be a number from 1 to 1000, not ${JSON.stringify(text)}`)
  return Number(text)
}
