/** Arguments and help of the commands that take settings. Only they load this: the schemas of the settings slow a start. */
import { CONFIG_SETTINGS } from '../lib/config-schema.ts'
import type { ConfigSources } from '../lib/config-sources.ts'
import { chosenSettings, configPath, loadConfig } from '../lib/config.ts'
import { type Command, type Invocation, COMMON_FLAGS, columns, helpText, readArguments } from './command.ts'
import { SETTING_FLAGS } from './setting-flags.ts'

export type ParsedArguments = Pick<Invocation, 'config' | 'configFile' | 'chosen' | 'switches' | 'values'> | 'help'

/**
 * Reads a command's arguments and, with them, the configuration.
 *
 * @throws UsageError for a flag that the command does not have
 * @throws ConfigError for a setting that cannot be used
 */
export function parseArguments(command: Command, args: readonly string[], env: ConfigSources['env']): ParsedArguments {
  const values = parseFlags(command, args)
  if (values['help'] === true) return 'help'
  const flags = Object.fromEntries(CONFIG_SETTINGS.map(({ key, flag }) => [key, values[flag]]))
  const file = values['config']
  const given = typeof file === 'string' ? file : undefined
  const sources = { flags, env, ...(given === undefined ? {} : { file: given }) }
  const config = loadConfig(sources)
  const switches = new Set(Object.keys(values).filter((name) => values[name] === true))
  const own = command.flags.flatMap(({ name }) => {
    const value = values[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const chosen = chosenSettings(sources)
  return { config, configFile: configPath(config, given), chosen, switches, values: new Map(own) }
}

function parseFlags(command: Command, args: readonly string[]): Record<string, unknown> {
  return readArguments(command.name, [...SETTING_FLAGS, ...COMMON_FLAGS, ...command.flags], args, false).values
}

/** The text of `slipway <command> --help`. */
export function commandHelp(command: Command): string {
  const flags = [...command.flags, ...COMMON_FLAGS]
  return `${helpText(command, `slipway ${command.name} [flags]`, flags)}${settingsHelp(command)}`
}

function settingsHelp({ settings }: Command): string {
  const counting = CONFIG_SETTINGS.filter(({ key }) => settings === undefined || settings.some((one) => one === key))
  const rows = counting.map(({ flag, kind, description, variable, default: value }) => ({
    left: `--${flag}${kind === 'boolean' ? '' : ' <value>'}`,
    right: `${description}${typeof value === 'string' ? ` (default ${value})` : ''} [${variable}]`,
  }))
  const which = settings === undefined ? '' : '; others may stand there, and do not count'
  return rows.length === 0
    ? ''
    : `\nSettings (flag, variable or key of the configuration file${which}):\n${columns(rows)}\n`
}
