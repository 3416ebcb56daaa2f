/** Commands that show facts about this installation. */
import type { Command } from '../command.ts'
import { readBuild } from '../installation.ts'

export const configCommand: Command = {
  name: 'config',
  summary: 'Print the configuration in force, secrets redacted',
  examples: ['slipway config'],
  flags: [],
  run: async ({ config, terminal }) => {
    const [{ toYaml }, { redactConfig }] = await Promise.all([
      import('../client/yaml.ts'),
      import('../../lib/config.ts'),
    ])
    terminal.out(toYaml(redactConfig(config)))
    return 0
  },
}

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print version and commit of this build',
  examples: ['slipway version'],
  flags: [],
  settings: [],
  run: ({ terminal }) => {
    const { version, commit, builtAt } = readBuild()
    terminal.out(`slipway ${version} (commit ${commit === '' ? 'unknown' : commit}, built ${builtAt})\n`)
    return Promise.resolve(0)
  },
}
