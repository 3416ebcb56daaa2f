import { CACHE_MODE_VALUES } from '../crd/enums.ts'
import { ENVIRONMENT_FILE } from '../execution/layout.ts'
import { isJsonObject } from '../json.ts'
import { parseDuration } from '../time.ts'
import { findCacheProblem, findKeyProblem, findNestedProblem } from './paths.ts'
import { DEFAULT_SETUP_SECONDS, type Recipe } from './recipe.ts'

/** Bytes of the file that a repository says its environment in. */
export const MAX_ENVIRONMENT_FILE_BYTES = 64 * 1024

const MAX_SETUP_LENGTH = 32 * 1024
const MAX_ITEMS = 50
const MAX_NAME_LENGTH = 253
const MAX_VALUE_LENGTH = 4096
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

const FIELDS = ['setup', 'env', 'cache', 'keys', 'timeout', 'required']

/** What ENVIRONMENT_FILE (layout.ts) says, or what is wrong with it, in words that name the field and the way out. */
export type FileRecipe =
  | { readonly recipe: Recipe }
  /** With whether the file says in so many words that a task must not start without. */
  | { readonly problem: string; readonly isRequired: boolean }

class Wrong extends Error {}

/** Reads the file's content, parsed, by the rules that the CRD has for Project.spec.environment, without secrets. */
export function readEnvironmentFile(value: unknown): FileRecipe {
  try {
    return { recipe: toRecipe(value) }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    const isRequired = isJsonObject(value) && value['required'] === true
    return { problem: `${ENVIRONMENT_FILE}: ${error.message}`, isRequired }
  }
}

function toRecipe(value: unknown): Recipe {
  const { setup, env, cache, keys, timeout, required = false } = fieldsOf(value, 'the file', FIELDS)
  const recipe = {
    setup: toSetup(setup),
    env: listOf(env, 'env').map(toVariable),
    cache: listOf(cache, 'cache').map(toCache),
    keys: listOf(keys, 'keys').map(toKey),
    timeoutSeconds: toSeconds(timeout),
    required: toBoolean(required, 'required'),
  }
  requireUnique(
    'env',
    recipe.env.map(({ name }) => name),
  )
  requireUnique('keys', recipe.keys)
  const nested = findNestedProblem(recipe.cache.map(({ path }) => path))
  if (nested !== undefined) throw new Wrong(`cache ${nested}`)
  return recipe
}

function fieldsOf(value: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw new Wrong(`${name} must be a mapping with ${known.join(', ')}`)
  for (const field of Object.keys(value)) if (!known.includes(field)) throw new Wrong(unknownField(name, field, known))
  return value
}

function unknownField(name: string, field: string, known: readonly string[]): string {
  const words = JSON.stringify(field.slice(0, 100)).slice(1, -1)
  if (field === 'secretKey')
    return `${name} must not have secretKey: everybody who may push could read the secret; name it in the project (environment.env)`
  return `${name} must not have ${words}: it may have ${known.join(', ')}`
}

function toSetup(value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw new Wrong('setup must be given: the program that prepares a fresh clone, such as npm ci')
  const setup = toText(value, 'setup', MAX_SETUP_LENGTH)
  if (setup.includes('\0')) throw new Wrong('setup must not contain NUL characters')
  return setup
}

function toVariable(value: unknown, at: number): Recipe['env'][number] {
  const field = `env[${at}]`
  const { name, value: text } = fieldsOf(value, field, ['name', 'value'])
  const variable = toText(name, `${field}.name`, MAX_NAME_LENGTH)
  if (!VARIABLE.test(variable))
    throw new Wrong(`${field}.name must be letters, digits and _, and not begin with a digit`)
  const content = toText(text, `${field}.value`, MAX_VALUE_LENGTH)
  if (content.includes('\0')) throw new Wrong(`${field}.value must not contain NUL characters`)
  return { name: variable, value: content }
}

function toCache(value: unknown, at: number): Recipe['cache'][number] {
  const { path, mode = 'Copy' } = fieldsOf(value, `cache[${at}]`, ['path', 'mode'])
  const folder = toPath(path, `cache[${at}].path`, findCacheProblem)
  const known = CACHE_MODE_VALUES.find((one) => one === mode)
  if (known === undefined) throw new Wrong(`cache[${at}].mode must be one of ${CACHE_MODE_VALUES.join(', ')}`)
  return { path: folder, mode: known }
}

function toKey(value: unknown, at: number): string {
  return toPath(value, `keys[${at}]`, findKeyProblem)
}

function toPath(value: unknown, field: string, findProblem: (path: string) => string | undefined): string {
  if (typeof value !== 'string') throw new Wrong(`${field} must be a text`)
  const problem = findProblem(value)
  if (problem !== undefined) throw new Wrong(`${field} ${problem}`)
  return value
}

/** Numbers, dates and the like are not taken for texts: `1.10` would become `1.1`. */
function toText(value: unknown, field: string, maxLength: number): string {
  if (typeof value !== 'string') throw new Wrong(`${field} must be a text: put it in quotes`)
  if (value.length > maxLength) throw new Wrong(`${field} must have at most ${maxLength} characters`)
  return value
}

function listOf(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Wrong(`${field} must be a list`)
  if (value.length > MAX_ITEMS) throw new Wrong(`${field} must have at most ${MAX_ITEMS} entries`)
  return value
}

function toBoolean(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new Wrong(`${field} must be true or false`)
  return value
}

/** What the CRD takes. */
const TIMEOUT = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/
const MAX_TIMEOUT_LENGTH = 30

function toSeconds(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_SETUP_SECONDS
  const isDuration = typeof value === 'string' && value.length <= MAX_TIMEOUT_LENGTH && TIMEOUT.test(value)
  const seconds = isDuration ? parseDuration(value) / 1000 : 0
  if (seconds <= 0 || !Number.isFinite(seconds)) throw new Wrong('timeout must be a duration such as 90s or 30m')
  return seconds
}

function requireUnique(field: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Wrong(`${field} names ${twice} twice: leave one out`)
}
