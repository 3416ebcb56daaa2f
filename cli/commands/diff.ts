import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'
import { latestWork } from '../../core/rest/latest-work.ts'
import { describeReview, formatUndelivered } from '../../core/sentences/review.ts'
import { paintDiff } from '../client/style.ts'
import { indent, oneLine, printable } from '../client/text.ts'

export const diffCommand: ClientCommand = {
  kind: 'client',
  name: 'diff',
  summary: 'Show what a task changed',
  details: [
    'All that accepting the work adds, as a git diff: "slipway diff <task> | git apply" takes it over. Commits of others',
    'on the branch, and changes that the diff does not show, are named on stderr.',
  ].join('\n'),
  examples: ['slipway diff add-login', 'slipway diff add-login | git apply'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [{ name: 'story', description: "All that the branch of the task's story adds to the default branch" }],
  async run({ session, terminal, signal, words, switches, style }) {
    const id = words[0] ?? ''
    const task = await session.api.getTask({ params: { id } }, { signal })
    const execution = latestWork(task)
    if (execution === undefined) throw new UsageError(`${id} has not run yet: it is ${task.state}`)
    const query = switches.has('story') ? ({ of: 'branch' } as const) : {}
    const params = { id: execution }
    const diff = await session.api.getExecutionDiff({ params, query }, { signal })
    terminal.out(paintDiff(style.isTerminal ? printable(diff) : diff, style))
    if (diff === '') terminal.err(`${id} changed nothing\n`)
    for (const { title, text, lines } of describeReview(task))
      terminal.err(`${title}. ${text}\n${indent(lines.join('\n'), '  ')}\n`)
    const { undelivered, undelivered_count } = await session.api.getExecution({ params }, { signal })
    const missing = formatUndelivered(undelivered, undelivered_count)
    if (missing !== undefined) terminal.err(`${oneLine(missing, 4000)}\n`)
    return 0
  },
}
