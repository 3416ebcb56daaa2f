import type { ErrorObject, ValidateFunction } from 'ajv'
import { COMMIT_PATTERN, DIGEST_PATTERN, RESOURCE_NAME_PATTERN } from '../core/execution/patterns.ts'

/** The operator wrote something else than this runner reads: a bug, or one of the two is too old. */
export class BadRunSpec extends Error {
  readonly code = 'BAD_RUN_SPEC'
  override readonly name = 'BadRunSpec'
}

/**
 * The value itself, without the members that its schema does not name.
 *
 * @param isValid one of validators.ts
 * @param root what the value is called in messages
 * @throws BadRunSpec naming the field
 */
export function requireValid<T>(isValid: ValidateFunction<T>, value: unknown, root: string): T {
  if (isValid(value)) return value
  const [error] = isValid.errors ?? []
  throw new BadRunSpec(error === undefined ? `${root} is invalid` : formatProblemMessage(root, error))
}

function formatProblemMessage(root: string, error: ErrorObject): string {
  const path = error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')
  const params: Readonly<Record<string, unknown>> = error.params
  switch (error.keyword) {
    case 'required':
      return `${root}${path}.${String(params['missingProperty'])} must be set`
    case 'const':
      return `${root}${path} must be ${String(params['allowedValue'])}`
    case 'enum':
      return `${root}${path} must be one of ${String(params['allowedValues']).replaceAll(',', ', ')}`
    case 'type':
    case 'pattern':
      return `${root}${path} must be ${WORDS.get(params[error.keyword]) ?? String(params[error.keyword])}`
    default:
      return `${root}${path} ${error.message ?? 'is invalid'}`
  }
}

/** Types and patterns of the schemas. */
const WORDS: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
  [RESOURCE_NAME_PATTERN, 'a resource name'],
  [COMMIT_PATTERN, 'the full hash of a commit'],
  [DIGEST_PATTERN, 'a SHA-256 in hex'],
])
