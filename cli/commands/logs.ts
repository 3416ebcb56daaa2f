import type { Execution, Task } from '../../core/rest/client/client.ts'
import { parseJson } from '../../core/json.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { followTask, hasNoConversation } from '../client/follow.ts'
import { ifFound } from '../client/if-found.ts'
import { formatAsked, formatLogEnd, formatTold } from '../client/outcome.ts'
import { print } from '../client/output.ts'
import { findParts } from '../client/parts.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

export const logsCommand: ClientCommand = {
  kind: 'client',
  name: 'logs',
  summary: 'Show what the agent of a task said and did',
  details:
    'The latest run, with its questions and their answers: the conversation, and for scripts their output. With -f it goes on until the task comes to rest.',
  examples: ['slipway logs -f add-login', 'slipway logs --raw add-login'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [
    { name: 'follow', short: 'f', description: 'Go on until the task comes to rest' },
    { name: 'raw', description: 'The output as the agent’s program wrote it, in place of the conversation' },
    {
      name: 'service',
      value: 'name',
      description: 'What a service of the project printed last beside the agent, such as a database',
    },
  ],
  async run(invocation) {
    const { session, terminal, signal, words, switches } = invocation
    const id = words[0] ?? ''
    const isRaw = switches.has('raw')
    const service = invocation.values.get('service')
    if (service !== undefined && (isRaw || switches.has('follow')))
      throw new UsageError('logs: --service goes with neither --follow nor --raw')
    if (switches.has('follow')) return followTask({ session, terminal, signal, clock: systemClock, isRaw }, id)
    const task = await session.api.getTask({ params: { id } }, { signal })
    if (task.execution_id === undefined) throw new UsageError(`${id} has not run yet: it is ${task.state}`)
    if (service !== undefined) return showService(invocation, task.execution_id, service)
    await showSoFar(invocation, task, task.execution_id)
    return 0
  },
}

async function showService({ session, terminal, signal }: ClientInvocation, id: string, name: string): Promise<number> {
  const { services: all } = await session.api.getServiceLogs({ params: { id } }, { signal })
  const found = all.find((one) => one.name === name)
  if (found === undefined) {
    const names = all.length === 0 ? 'there is no log of a service' : `it has ${all.map((one) => one.name).join(', ')}`
    throw new UsageError(`${id} has no service ${name} whose log is there: ${names}`)
  }
  print(terminal, session.form, found, () => printable(found.log))
  if (found.problem !== undefined) terminal.err(`not all of the log of ${name} could be read: ${found.problem}\n`)
  return 0
}

/** An execution, with what its agent was told where that is to be shown. */
type Said = Pick<Execution, 'id' | 'messages' | 'checks'>

/** Prints what there is so far; stdout goes to stdout and stderr to stderr, where the end is told too. */
async function showSoFar(invocation: ClientInvocation, task: Task, id: string): Promise<void> {
  const { session, terminal, signal, switches } = invocation
  const isOutput = switches.has('raw') || (await hasNoConversation({ session, signal }, task))
  const show = (part: Said): Promise<boolean> =>
    isOutput ? printOutput(invocation, part.id) : printConversation(invocation, part)
  if (session.form !== 'table') return void (await show({ id }))
  // What a program printed may be read by another one.
  const say = isOutput ? terminal.err : terminal.out
  const parts = await findParts(invocation, id, new Set())
  if (parts.length === 0) throw new UsageError(`${id}, the latest execution of ${task.id}, is not there`)
  for (const part of parts) {
    say(formatTold(part))
    const isSilent = await show(part)
    terminal.err(formatLogEnd(part, isSilent))
    say(formatAsked(part))
  }
}

/** Prints stdout and stderr of an execution; one whose agent has not started has no files. @returns whether there is none */
export async function printOutput({ session, terminal, signal }: ClientInvocation, id: string): Promise<boolean> {
  const stdout = (await ifFound(session.api.getExecutionStdout({ params: { id } }, { signal }))) ?? ''
  const stderr = (await ifFound(session.api.getExecutionStderr({ params: { id } }, { signal }))) ?? ''
  print(terminal, session.form, { stdout, stderr }, () => {
    terminal.err(printable(stderr))
    return printable(stdout)
  })
  return stdout === '' && stderr === ''
}

/** @returns whether people see nothing of it */
async function printConversation({ session, terminal, signal }: ClientInvocation, part: Said): Promise<boolean> {
  const events = (await ifFound(session.api.getExecutionEvents({ params: { id: part.id } }, { signal }))) ?? ''
  const lines = events.split('\n').flatMap((line) => parseJson(line) ?? [])
  const shown: string[] = []
  const { conversationPrinter } = await import('../client/conversation.ts')
  const show = conversationPrinter((text) => shown.push(text))
  lines.forEach((line) => show(line, part))
  print(terminal, session.form, lines, () => shown.join(''))
  return shown.length === 0
}
