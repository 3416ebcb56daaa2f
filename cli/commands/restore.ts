import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import { withProgress } from '../client/progress.ts'

export const restoreCommand: ClientCommand = {
  kind: 'client',
  name: 'restore',
  summary: 'Bring an archived task back from the archive',
  details:
    'It has the state, executions and logs that it had, and is not run again. Its clone is gone: resume begins anew.',
  examples: ['slipway restore add-login'],
  words: [{ name: 'task' }],
  flags: [],
  async run({ session, terminal, signal, words: [id = ''] }) {
    const result = await withProgress(
      { terminal, form: session.form, clock: systemClock },
      (elapsed) => `restoring ${id}, ${elapsed}`,
      () => session.api.restoreTask({ params: { id } }, { signal }),
    )
    print(terminal, session.form, result, () => `${id}: ${result.message}\n`)
    return 0
  },
}
