import type { Command } from '../command.ts'
import { readBuild } from '../installation.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print version and commit of this build',
  flags: [],
  run: ({ terminal }) => {
    const { version, commit, builtAt } = readBuild()
    terminal.out(`slipway ${version} (commit ${commit === '' ? 'unknown' : commit}, built ${builtAt})\n`)
    return Promise.resolve(0)
  },
}
