import { countOf, formatCount } from '../../core/sentences/amounts.ts'
import type { Command } from '../command.ts'
import { storeFolder } from '../data-dir.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Read the whole store of the embedded control plane and say whether it is as it was written',
  details: [
    'Changes nothing, and may run beside a server. Ends with 0 when the store is whole; otherwise it prints what is wrong,',
    'one line each, and ends with 1.',
  ].join('\n'),
  examples: ['slipway check --data-dir .slipway'],
  flags: [],
  settings: ['dataDir', 'logLevel', 'logFormat'],
  run: async ({ config, terminal }) => {
    // This loads the native module of the store, which other commands do not need.
    const { checkFolder, fileOf } = await import('../../embedded/storage/folder.ts')
    const { requireWhole } = await import('../../embedded/storage/inspect.ts')
    const folder = storeFolder(config)
    const report = await checkFolder(folder)
    const { format, records, revision, problems } = report
    if (problems.length > 1) terminal.out(`${problems.join('\n')}\n`)
    requireWhole(fileOf(folder), report)
    const objects = `${countOf(records, 'object')} at revision ${formatCount(revision)}`
    const unsure = format === 1 ? '; an older version wrote it without checksums, which the next start adds' : ''
    terminal.out(`the store ${fileOf(folder)} is whole: ${objects}${unsure}\n`)
    return 0
  },
}
