import { stringify } from 'yaml'
import { redactConfig } from '../../lib/config.ts'
import type { Command } from '../command.ts'

export const configCommand: Command = {
  name: 'config',
  summary: 'Print the configuration in force, secrets redacted',
  flags: [],
  run: ({ config, terminal }) => {
    terminal.out(stringify(redactConfig(config)))
    return Promise.resolve(0)
  },
}
