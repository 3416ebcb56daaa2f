import { formatCount } from '../../core/sentences/amounts.ts'
import { type Command, CLUSTER_FLAG } from '../command.ts'
import { printable } from '../client/text.ts'
import { BACKUP_SETTINGS } from '../settings.ts'

export const adoptCommand: Command = {
  name: 'adopt',
  summary: 'Decide about a data volume whose folders have lost their tasks',
  details: [
    'An operator stops when the data volume belongs to another control plane, or when many of its folders have no task or',
    'execution any more, and says so in /readyz, in an Event and here. Without --yes this prints what was found and ends',
    'with 1. With --yes the volume is this installation’s: tasks start, and the folders without an owner are removed, logs',
    'and clones that were not pushed included. To have their tasks back instead, use slipway import. The server may run.',
  ].join('\n'),
  examples: ['slipway adopt', 'slipway adopt --yes --data-dir .slipway'],
  flags: [{ name: 'yes', description: 'Let the folders without an owner go' }, CLUSTER_FLAG],
  settings: BACKUP_SETTINGS,
  run: async ({ config, switches, terminal }) => {
    const [{ findVolume }, { findHeld, writeBelonging }] = await Promise.all([
      import('../backup/run.ts'),
      import('../../lib/belonging.ts'),
    ])
    const root = await findVolume(config, switches.has('cluster'))
    const all = await findHeld(root)
    const held = all.filter(({ namespace }) => config.namespace === undefined || config.namespace === namespace)
    if (held.length === 0) terminal.out('nothing is waiting: no operator has found anything in the way\n')
    for (const { namespace, uid, held: found } of held) {
      if (!switches.has('yes')) terminal.out(printable(`${found.text}\n`))
      else {
        await writeBelonging(root, namespace, { uid, adopted: { uid: found.uid, unowned: found.unowned } })
        terminal.out(`adopted; folders without an owner that go: ${formatCount(found.unowned)}\n`)
      }
    }
    if (held.length === 0 || switches.has('yes')) return 0
    terminal.out('nothing was changed: slipway adopt --yes lets the folders go\n')
    return 1
  },
}
