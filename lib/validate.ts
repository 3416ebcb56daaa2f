import { type ErrorObject, type FuncKeywordDefinition, type ValidateFunction, Ajv2020, str } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import { findNameProblem, NAME_FORMAT } from '../core/bidi-controls.ts'
import { BRANCH_NAME_FORMAT, findBranchNameProblem } from '../core/story/branch-name.ts'
import { type LinearPattern, compilePattern } from './pattern.ts'

/** One thing wrong with a value: where (`spec.title`, `tasks[0].name`; "" for the whole) and what, in words. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: FieldProblem[] }

export type Check<T> = (value: unknown) => Checked<T>

/**
 * Errors that are looked at, in the order in which the library found them. A body of 1 MiB can hold half a million
 * wrong items, and what is said of one error depends on the others.
 */
export const MAX_PROBLEMS = 1000

/** The names of a map in which any name may stand, as typebox writes it; a line break in a name makes it no other. */
const ANY_NAME = '^.*$'

const makePattern = (source: string): LinearPattern =>
  source === ANY_NAME ? { test: () => true } : compilePattern(source)

/** Forms of our own, and what is wrong with a text that has not that form. */
const FORMATS: Readonly<Record<string, (text: string) => string | undefined>> = {
  [BRANCH_NAME_FORMAT]: findBranchNameProblem,
  [NAME_FORMAT]: findNameProblem,
}

/**
 * Our schemas are typed where they are written; checking them against the meta-schema would only slow every start.
 *
 * @param allErrors false: stops at the first error, so that what is wrong without end is refused at once
 */
function makeValidator(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    strictNumbers: true,
    verbose: true,
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(makePattern, { code: 'makePattern' }) },
  })
  addFormats.default(ajv)
  for (const [name, findFault] of Object.entries(FORMATS)) ajv.addFormat(name, (text) => findFault(text) === undefined)
  // The library's own runs every pattern on texts of any length: with allErrors a `maxLength` that failed stops nothing.
  ajv.removeKeyword('pattern')
  ajv.addKeyword(PATTERN)
  return ajv
}

const PATTERN: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  errors: false,
  error: { message: ({ schemaCode }) => str`must match pattern "${schemaCode}"` },
  compile(source: string, schema: Readonly<Record<string, unknown>>) {
    // Characters are counted as JSON Schema does; each has one or two units of UTF-16.
    const maxUnits = typeof schema['maxLength'] === 'number' ? 2 * schema['maxLength'] : Number.POSITIVE_INFINITY
    // Compiled at the first text, and never for a field that nobody sends.
    let pattern: LinearPattern | undefined
    return (text: string) => text.length > maxUnits || (pattern ??= compilePattern(source)).test(text)
  },
}

/** Made when the first schema is compiled. */
let judge: Ajv2020 | undefined
/** Made when something is wrong for the first time. */
let explain: Ajv2020 | undefined

/**
 * The validation boundary: `unknown` goes in, a typed value or a list of problems naming their fields comes out, at
 * most {@link MAX_PROBLEMS}, which are looked for when somebody asks for them.
 * Compiled at the first use: a start would pay for every route, and the first request pays a few milliseconds for one.
 *
 * @param generated what `npm run generate` made of the same schema, where even that is too long; problems are found as ever
 */
export function compileCheck<S extends TSchema>(schema: S, generated?: ValidateFunction): Check<Static<S>> {
  let isValid = generated
  let findErrors: ValidateFunction | undefined
  const describe = (value: unknown): FieldProblem[] => {
    findErrors ??= (explain ??= makeValidator(true)).compile(schema)
    findErrors(value)
    return toProblems((findErrors.errors ?? []).slice(0, MAX_PROBLEMS))
  }
  return (value) => {
    isValid ??= (judge ??= makeValidator(false)).compile(schema)
    if (isValid(value)) return { ok: true, value: value as Static<S> }
    let problems: FieldProblem[] | undefined
    return {
      ok: false,
      get problems() {
        return (problems ??= describe(value))
      },
    }
  }
}

/**
 * As {@link compileCheck}, for a new version of a value: a member that was left as it was passes, although the schema has
 * become stricter since. So does a control plane (ratcheting), and what is stored already can be changed elsewhere.
 */
export function compileUpdateCheck<S extends TSchema>(
  schema: S,
): (value: unknown, isChanged: (member: string) => boolean) => Checked<Static<S>> {
  const check = compileCheck(schema)
  return (value, isChanged) => {
    const checked = check(value)
    if (checked.ok) return checked
    const problems = checked.problems.filter(({ field }) => field === '' || isChanged(field.replace(/[.[][^]*/, '')))
    return problems.length === 0 ? { ok: true, value: value as Static<S> } : { ok: false, problems }
  }
}

/** The problems in one line, for people: at most ten, each with its field. */
export function formatProblemsMessage(problems: readonly FieldProblem[]): string {
  const shown = problems
    .slice(0, MAX_SHOWN)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  const left = problems.length - shown.length
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
}

const MAX_SHOWN = 10

function toProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  const helpful = errors.filter((error) => error.keyword !== 'if' && !isSecondary(error, errors))
  const problems = helpful.map(toProblem)
  // A union reports each of its branches; the first line per field says enough.
  return problems.filter((problem, i) => problems.findIndex(({ field }) => field === problem.field) === i)
}

/** When a value may have one of several types, only the errors of the type that it has help a person. */
function isSecondary(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (!isUnionTalk(error)) return false
  return errors.some((other) => !isUnionTalk(other) && `${other.instancePath}/`.startsWith(`${error.instancePath}/`))
}

function isUnionTalk({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'type'
}

function toProblem(error: ErrorObject): FieldProblem {
  const path = fieldPath(error.instancePath)
  const params = error.params as Readonly<Record<string, unknown>>
  switch (error.keyword) {
    case 'additionalProperties':
      return { field: join(path, String(params['additionalProperty'])), message: 'unknown field' }
    case 'required':
      return { field: join(path, String(params['missingProperty'])), message: 'is required' }
    case 'enum':
      return { field: path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }
    case 'type': {
      const types = [params['type']].flat().map((type) => TYPES[String(type)] ?? String(type))
      return { field: path, message: `must be ${types.join(' or ')}` }
    }
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return { field: path, message: formatSizeMessage(error.keyword, Number(params['limit'])) }
    case 'anyOf':
    case 'oneOf':
      return { field: path, message: 'has none of the forms that it may have' }
    case 'exclusiveMinimum':
      return { field: path, message: `must be more than ${String(params['limit'])}` }
    case 'pattern':
      return { field: path, message: PATTERNS[String(error.schema)] ?? error.message ?? 'is invalid' }
    case 'format':
      return {
        field: path,
        message: FORMATS[String(params['format'])]?.(String(error.data)) ?? error.message ?? 'is invalid',
      }
    case 'minimum':
    case 'maximum':
      return { field: path, message: formatRangeMessage(error) }
    case 'uniqueItems':
      return { field: path, message: formatRepetitionMessage(error.data, params['j']) }
    default:
      return { field: path, message: error.message ?? 'is invalid' }
  }
}

/** Both ends where there are two, so that nobody meets the other one at the next try. */
function formatRangeMessage({ parentSchema }: ErrorObject): string {
  const { minimum, maximum } = parentSchema ?? {}
  if (maximum === undefined) return `must be at least ${String(minimum)}`
  if (minimum === undefined) return `must be at most ${String(maximum)}`
  return `must be from ${String(minimum)} to ${String(maximum)}`
}

function formatSizeMessage(keyword: string, limit: number): string {
  if (keyword === 'minLength' && limit === 1) return 'must not be empty'
  const what = keyword.endsWith('Items') ? (limit === 1 ? 'entry' : 'entries') : 'characters'
  return `must have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} ${what}`
}

/** The types of JSON Schema, in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function formatRepetitionMessage(list: unknown, index: unknown): string {
  const repeated: unknown = Array.isArray(list) ? list[Number(index)] : undefined
  const isShort = typeof repeated === 'string' && repeated.length <= 100
  return isShort ? `must not name ${JSON.stringify(repeated)} twice` : 'must not hold the same entry twice'
}

/** The patterns of our texts, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[^\\x00]*$': 'must not contain NUL characters',
  '[^\\s\\p{Z}]': 'must not be blank',
  '^[^\\x00-\\x1f]*$': 'must be one line without control characters',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$':
    'must be lower-case letters, digits and -, with a letter or digit at both ends, such as unit-test',
  '^[A-Za-z_][A-Za-z0-9_]*$': 'must be letters, digits and _, and must not begin with a digit, such as NODE_ENV',
  '^[^\\x00-\\x20\\x7f]*$': 'must not contain blanks or control characters',
  '^([^\\x00-\\x20\\x7f-][^\\x00-\\x1f\\x7f]*)?$': 'must be one line that begins neither with - nor with a blank',
  '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$': 'must be one line that is not blank',
}

function fieldPath(instancePath: string): string {
  const segments = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return segments.reduce((path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : join(path, segment)), '')
}

function join(path: string, segment: string): string {
  return path === '' ? segment : `${path}.${segment}`
}
