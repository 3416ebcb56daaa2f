import type { Task } from '../../core/rest/client/client.ts'
import { parseJson } from '../../core/json.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { conversationPrinter } from '../client/conversation.ts'
import { followTask, hasNoConversation } from '../client/follow.ts'
import { print } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

export const logsCommand: ClientCommand = {
  kind: 'client',
  name: 'logs',
  summary: 'Show what the agent of a task said and did',
  details:
    'The latest run: the conversation, and for scripts their output. With -f it goes on until the task comes to rest.',
  examples: ['slipway logs -f add-login', 'slipway logs --raw add-login'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [
    { name: 'follow', short: 'f', kind: 'boolean', description: 'Go on until the task comes to rest' },
    {
      name: 'raw',
      kind: 'boolean',
      description: 'The output as the agent’s program wrote it, in place of the conversation',
    },
  ],
  async run(invocation) {
    const { session, terminal, signal, words, switches } = invocation
    const id = words[0] ?? ''
    const isRaw = switches.has('raw')
    if (switches.has('follow')) return followTask({ session, terminal, signal, clock: systemClock, isRaw }, id)
    const task = await session.api.getTask({ params: { id } }, { signal })
    if (task.execution_id === undefined) throw new UsageError(`${id} has not run yet: it is ${task.state}`)
    await showSoFar(invocation, task, task.execution_id)
    return 0
  },
}

/** Prints what there is so far; stdout goes to stdout and stderr to stderr. */
async function showSoFar(
  { session, terminal, signal, switches }: ClientInvocation,
  task: Task,
  id: string,
): Promise<void> {
  const call = { params: { id } }
  if (switches.has('raw') || (await hasNoConversation({ session, signal }, task))) {
    const stdout = await session.api.getExecutionStdout(call, { signal })
    const stderr = await session.api.getExecutionStderr(call, { signal })
    return print(terminal, session.form, { stdout, stderr }, () => {
      terminal.err(printable(stderr))
      return printable(stdout)
    })
  }
  const events = await session.api.getExecutionEvents(call, { signal })
  const lines = events.split('\n').flatMap((line) => parseJson(line) ?? [])
  print(terminal, session.form, lines, () => {
    const shown: string[] = []
    lines.forEach(conversationPrinter((text) => shown.push(text)))
    return shown.join('')
  })
}
