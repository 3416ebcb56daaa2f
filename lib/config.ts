/**
 * One configuration: defaults, then the YAML file, then `SLIPWAY_…` variables, then flags; the later wins.
 *
 * A key that nobody knows is an error that names it, because a misspelt `token` would leave a server open.
 */
import { join, resolve } from 'node:path'
import { findVariableProblem } from '../core/execution/pod-settings.ts'
import { asRecord } from '../core/json.ts'
import { checkBranchPrefix, checkTokens } from './config-checks.ts'
import { CONFIG_FILE, ConfigError } from './config-place.ts'
import { Config, CONFIG_SETTINGS } from './config-schema.ts'
import {
  type ConfigSources,
  fromEnvironment,
  fromFile,
  fromFlags,
  parseYaml,
  readConfigFile,
} from './config-sources.ts'
import { isConfig } from './config-validator.ts'
import { findReadRisk } from './file-mode.ts'
import { findOidcProblem } from './oidc-config.ts'
import { compileCheck } from './validate.ts'

/** Forms that people type, for those to whom a pattern says nothing. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['listen', 'an address and a port up to 65535, such as 127.0.0.1:8080'],
  ['metricsListen', 'an address and a port up to 65535, such as 127.0.0.1:9464'],
  ['healthListen', 'an address and a port up to 65535, such as 0.0.0.0:8081, or off'],
  ['maxPushSize', 'a size such as 500Mi or 2Gi'],
  ['toolFolders', 'an absolute path, such as /home/me/.cargo/bin'],
  ['publicUrl', 'a URL that begins with http:// or https://'],
])

function inWords(field: string, message: string): string {
  const form = message.startsWith('must match pattern') ? FORMS.get(field.replace(/\[\d+\]$/, '')) : undefined
  return form === undefined ? message : `must be ${form}`
}

const check = compileCheck(Config, isConfig)

/** Where the configuration file is, whether or not there is one. */
export function configPath(config: Config, file: string | undefined): string {
  return resolve(file ?? join(config.dataDir, CONFIG_FILE))
}

/**
 * Merges the sources into one configuration with absolute paths.
 *
 * @throws ConfigError for an unknown key, a value of the wrong form, or a file that cannot be read or that everybody can
 *   change
 */
export function loadConfig(sources: ConfigSources): Config {
  const strong = { ...fromEnvironment(sources.env), ...fromFlags(sources.flags) }
  const dataDir = resolve(String({ ...defaults(), ...strong }['dataDir']))
  const merged = { ...defaults(), ...fromFile(sources.file, join(dataDir, CONFIG_FILE)), ...strong }
  const checked = check(merged)
  if (!checked.ok) {
    throw new ConfigError(
      checked.problems.map(({ field, message }) => `configuration: ${field}: ${inWords(field, message)}`).join('\n'),
    )
  }
  checkTokens(checked.value)
  checkBranchPrefix(checked.value)
  const podProblem = findVariableProblem(checked.value.executionPods)
  const problem = podProblem === undefined ? findOidcProblem(checked.value) : `executionPods.${podProblem}`
  if (problem !== undefined) throw new ConfigError(`configuration: ${problem}`)
  return { ...checked.value, dataDir: resolve(checked.value.dataDir) }
}

/**
 * The keys that whoever runs the program has set: by flag, by variable, and in a file or data folder that they named. What
 * stands in a file that was only found may be somebody else's, as a clone of a repository is.
 */
export function chosenSettings({ flags, env, file }: ConfigSources): ReadonlySet<string> {
  const strong = { ...fromEnvironment(env), ...fromFlags(flags) }
  const folder = strong['dataDir']
  const isNamed = file !== undefined || folder !== undefined
  const written = isNamed ? fromFile(file, join(resolve(String(folder)), CONFIG_FILE)) : {}
  return new Set(Object.keys({ ...written, ...strong }))
}

/** The configuration as people may see it: secrets replaced. */
export function redactConfig(config: Config): Record<string, unknown> {
  const secrets = new Set(CONFIG_SETTINGS.filter(({ secret }) => secret).map(({ key }) => key))
  const tokens = config.tokens.map((entry) => (entry.token === undefined ? entry : { ...entry, token: REDACTED }))
  return Object.fromEntries(
    Object.entries({ ...config, tokens }).map(([key, value]) => [key, secrets.has(key) ? REDACTED : value]),
  )
}

const REDACTED = '[redacted]'

function defaults(): Record<string, unknown> {
  return Object.fromEntries(
    CONFIG_SETTINGS.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])),
  )
}

/** What to tell of a configuration file, behind its name, that shows everybody a secret; undefined where it shows none. */
export function findConfigRisk(path: string): string | undefined {
  const text = readConfigFile(path, false)
  const content = text === undefined ? {} : asRecord(parseYaml(text, path))
  const secrets = CONFIG_SETTINGS.filter(({ key, secret }) => secret && content[key] !== undefined)
  const entries = Array.isArray(content['tokens']) ? content['tokens'].map(asRecord) : []
  const isSecret = secrets.length > 0 || entries.some(({ token }) => token !== undefined)
  return isSecret ? findReadRisk(path) : undefined
}
