import process from 'node:process'
import { text } from 'node:stream/consumers'
import type { Task } from '../../core/rest/client/client.ts'
import { MESSAGE_MODES } from '../../core/enum-values.ts'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import { UsageError } from '../command.ts'

/** What a person says to an agent that works. */
export const sayCommand: ClientCommand = {
  kind: 'client',
  name: 'say',
  summary: 'Say something to the agent of a RUNNING task',
  details: [
    'The text "-" is read from standard input. --mode says when the agent gets it: queue when its turn ends, steer after the',
    'tool that it runs, interrupt at once. Default: steer where its program takes that, else queue. A script takes no',
    'messages. slipway show <task> lists what the agent was not given yet.',
  ].join('\n'),
  examples: [
    'slipway say add-login "Use the new form library"',
    'slipway say add-login "Stop, the tests are right" --mode interrupt',
    'slipway say add-login - < hints.txt',
  ],
  words: [{ name: 'task', mayBeShort: true }, { name: 'text' }],
  flags: [{ name: 'mode', value: 'mode', description: `When the agent gets it: ${MESSAGE_MODES.join(', ')}` }],
  async run({ session, terminal, signal, words: [id = '', word = ''], values }) {
    const mode = readMode(values.get('mode'))
    const said = word === '-' ? (await text(process.stdin)).trim() : word
    if (said.trim() === '') throw new UsageError('say: the text is empty')
    const body = { text: said, ...(mode === undefined ? {} : { mode }) }
    const result = await session.api.messageTask({ params: { id }, body }, { signal })
    print(terminal, session.form, result, () => `${id}: ${result.message}\n`)
    return 0
  },
}

type Mode = NonNullable<Task['message_modes']>[number]

function readMode(word: string | undefined): Mode | undefined {
  const mode = MESSAGE_MODES.find((known) => known === word)
  if (word !== undefined && mode === undefined)
    throw new UsageError(`say: --mode is one of ${MESSAGE_MODES.join(', ')}, not ${word}`)
  return mode
}
