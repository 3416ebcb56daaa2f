import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'
import { paintDiff } from '../client/style.ts'
import { describeUndelivered } from '../client/outcome.ts'
import { oneLine, printable } from '../client/text.ts'

export const diffCommand: ClientCommand = {
  kind: 'client',
  name: 'diff',
  summary: 'Show what a task changed',
  details: 'Against the base of its first run, as a git diff: "slipway diff <task> | git apply" takes it over.',
  examples: ['slipway diff add-login', 'slipway diff add-login | git apply'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [],
  async run({ session, terminal, signal, words, style }) {
    const id = words[0] ?? ''
    const task = await session.api.getTask({ params: { id } }, { signal })
    if (task.execution_id === undefined) throw new UsageError(`${id} has not run yet: it is ${task.state}`)
    const params = { id: task.execution_id }
    const diff = await session.api.getExecutionDiff({ params }, { signal })
    terminal.out(paintDiff(style.isTerminal ? printable(diff) : diff, style))
    if (diff === '') terminal.err(`${id} changed nothing\n`)
    const missing = describeUndelivered(await session.api.getExecution({ params }, { signal }))
    if (missing !== undefined) terminal.err(`${oneLine(missing, 4000)}\n`)
    return 0
  },
}
