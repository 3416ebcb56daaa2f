import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import { BRANCH_NAME_FORMAT, findBranchFault } from '../core/story/branch-name.ts'

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

/** Our schemas are typed where they are written; checking them against the meta-schema would only slow every start. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  strictNumbers: true,
  verbose: true,
  meta: false,
  validateSchema: false,
})
addFormats.default(ajv)
ajv.addFormat(BRANCH_NAME_FORMAT, (name) => findBranchFault(name) === undefined)

/**
 * The validation boundary: `unknown` goes in, a typed value or a list of problems naming their fields comes out, at
 * most {@link MAX_PROBLEMS}.
 * Compiled at the first use: a start would pay for every route, and the first request pays a few milliseconds for one.
 */
export function compileCheck<S extends TSchema>(schema: S): Check<Static<S>> {
  let compiled: ValidateFunction | undefined
  return (value) => {
    const validate = (compiled ??= ajv.compile(schema))
    if (validate(value)) return { ok: true, value: value as Static<S> }
    return { ok: false, problems: toProblems((validate.errors ?? []).slice(0, MAX_PROBLEMS)) }
  }
}

/** The problems in one line, for people: at most ten, each with its field. */
export function describeProblems(problems: readonly FieldProblem[]): string {
  const shown = problems
    .slice(0, MAX_SHOWN)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  const left = problems.length - shown.length
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
}

const MAX_SHOWN = 10

function toProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  const telling = errors.filter((error) => error.keyword !== 'if' && !isAside(error, errors))
  const problems = telling.map(toProblem)
  // A union reports each of its branches; the first line per field says enough.
  return problems.filter((problem, i) => problems.findIndex(({ field }) => field === problem.field) === i)
}

/** Of a value that may be one thing or another, what is wrong with it as the one that it is helps, not that it is no other. */
function isAside(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
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
    case 'type':
      return {
        field: path,
        message: params['type'] === 'object' ? 'must be an object' : (error.message ?? 'is invalid'),
      }
    case 'minLength':
      return { field: path, message: params['limit'] === 1 ? 'must not be empty' : (error.message ?? 'is too short') }
    case 'pattern':
      return { field: path, message: PATTERNS[String(params['pattern'])] ?? error.message ?? 'is invalid' }
    case 'format':
      return { field: path, message: formatFault(params['format'], error.data) ?? error.message ?? 'is invalid' }
    case 'minimum':
    case 'maximum':
      return { field: path, message: describeRange(error) }
    case 'uniqueItems':
      return { field: path, message: describeRepetition(error.data, params['j']) }
    default:
      return { field: path, message: error.message ?? 'is invalid' }
  }
}

/** Both ends where there are two, so that nobody meets the other one at the next try. */
function describeRange({ parentSchema, message }: ErrorObject): string {
  const { minimum, maximum } = parentSchema ?? {}
  if (minimum === undefined || maximum === undefined) return message ?? 'is out of range'
  return `must be from ${String(minimum)} to ${String(maximum)}`
}

function describeRepetition(list: unknown, index: unknown): string {
  const repeated: unknown = Array.isArray(list) ? list[Number(index)] : undefined
  const isShort = typeof repeated === 'string' && repeated.length <= 100
  return isShort ? `must not name ${JSON.stringify(repeated)} twice` : 'must not hold the same entry twice'
}

/** The patterns of our texts, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[^\\x00]*$': 'must not contain NUL characters',
  '^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$': 'must be one line that is not blank',
}

/** What the library cannot say about a format of our own. */
function formatFault(format: unknown, value: unknown): string | undefined {
  return format === BRANCH_NAME_FORMAT ? findBranchFault(String(value)) : undefined
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
