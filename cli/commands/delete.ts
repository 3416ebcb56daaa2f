import { STILL_TO_BE_DELIVERED } from '../../core/sentences/accept.ts'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

export const deleteCommand: ClientCommand = {
  kind: 'client',
  name: 'delete',
  summary: 'Delete a task with its executions and logs',
  details: 'What was pushed stays on its branch. A task that runs must be cancelled first.',
  examples: ['slipway delete add-login --yes'],
  words: [{ name: 'task', mayBeShort: false }],
  flags: [{ name: 'yes', short: 'y', description: 'Do not ask' }],
  async run({ session, terminal, signal, switches, words: [id = ''] }) {
    if (!switches.has('yes')) {
      const { name, state, delivery } = await session.api.getTask({ params: { id } }, { signal })
      if (terminal.ask === undefined)
        throw new UsageError('delete: nobody can be asked here; --yes deletes without a question')
      const more = delivery?.state === 'pending' ? `${STILL_TO_BE_DELIVERED} ` : ''
      const answer = await terminal.ask(`${more}Delete ${id} (${printable(name)}, ${state})? [y/N] `, signal)
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) return 1
    }
    await session.api.deleteTask({ params: { id } }, { signal })
    print(terminal, session.form, { message: 'task deleted', task_id: id }, () => `${id}: task deleted\n`)
    return 0
  },
}
