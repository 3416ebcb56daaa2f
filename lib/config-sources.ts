/** Reads the settings of each source, before anything is checked. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ConfigError } from './config-place.ts'
import { type Setting, CONFIG_SETTINGS } from './config-schema.ts'
import { findWriteFault } from './file-mode.ts'
import { hasErrorCode } from './files.ts'
import { messageOf } from './error-message.ts'

/** Where settings come from, strongest last. A flag that was not given is undefined. */
export interface ConfigSources {
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path given with `--config`; absent: `<dataDir>/config.yaml` when it exists. */
  readonly file?: string
}

/** Settings from `SLIPWAY_…` variables. @throws ConfigError */
export function fromEnvironment(env: ConfigSources['env']): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { key, variable, kind } of CONFIG_SETTINGS) {
    const text = env[variable]
    if (text === undefined || text === '') continue
    if (kind === 'boolean' && text !== 'true' && text !== 'false') {
      throw new ConfigError(`configuration: ${variable} must be true or false, not ${JSON.stringify(text)}`)
    }
    values[key] = readText(kind, text, variable)
  }
  return values
}

/** Settings from flags. @throws ConfigError */
export function fromFlags(flags: ConfigSources['flags']): Record<string, unknown> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  const structured = new Map(CONFIG_SETTINGS.filter(({ kind }) => kind === 'yaml').map(({ key, flag }) => [key, flag]))
  return Object.fromEntries(
    given.map(([key, value]) => {
      const flag = structured.get(key)
      return [key, flag !== undefined && typeof value === 'string' ? parseYaml(value, `--${flag}`) : value]
    }),
  )
}

function readText(kind: Setting['kind'], text: string, variable: string): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'list':
      return text.split(',').map((item) => item.trim())
    case 'yaml':
      return parseYaml(text, variable)
    case 'text':
      return text
    default:
      return kind satisfies never
  }
}

/** Settings from the configuration file: `given` must exist; without it, `usual` is read if it exists. @throws ConfigError */
export function fromFile(given: string | undefined, usual: string): Record<string, unknown> {
  const text = readConfigFile(given ?? usual, given !== undefined)
  if (text === undefined) return {}
  const content: unknown = parseYaml(text, given ?? usual)
  if (content === null) return {}
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new ConfigError(
      `configuration: ${given ?? usual} must hold keys and values, such as "listen: 127.0.0.1:8080"`,
    )
  }
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, asText(key, value)]))
}

/** YAML reads `0` as a number; where a setting is a text it is that text. */
function asText(key: string, value: unknown): unknown {
  const isText = CONFIG_SETTINGS.some((setting) => setting.key === key && setting.kind === 'text')
  return isText && Number.isSafeInteger(value) ? String(value) : value
}

/** @throws ConfigError that names the place and shows nothing of the text */
export function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    // The first line says what and where; those behind it show the text, which may hold a token.
    const [what = ''] = messageOf(error).split('\n')
    throw new ConfigError(`configuration: ${path} is not YAML: ${what}`)
  }
}

/** @throws ConfigError, also for a file that everybody can change */
export function readConfigFile(path: string, required: boolean): string | undefined {
  try {
    const fault = findWriteFault(path)
    if (fault !== undefined) throw new ConfigError(`configuration: ${path} ${fault}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    // ENOTDIR: a file is where the data folder should be; the error of making that folder says so.
    const isAbsent = hasErrorCode(error, 'ENOENT', 'ENOTDIR')
    if (isAbsent && !required) return undefined
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`configuration: cannot read ${path}: ${messageOf(error)}`, { cause: error })
  }
}
