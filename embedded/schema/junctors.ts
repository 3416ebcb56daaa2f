import type { FieldError } from './errors.ts'
import { fieldError } from './messages.ts'
import type { Junctors, SchemaNode } from './node.ts'

/**
 * Checks allOf, anyOf, oneOf and not; `check` says what one branch finds wrong with the value.
 *
 * A failed anyOf or oneOf also reports what is wrong with its first branch, as a kube-apiserver reports its best match.
 */
export function validateJunctors(
  junctors: Junctors,
  check: (branch: SchemaNode) => FieldError[],
  path: string,
  errors: FieldError[],
): void {
  checkAnyOf(junctors.anyOf.map(check), path, errors)
  checkOneOf(junctors.oneOf.map(check), path, errors)
  checkAllOf(junctors.allOf.map(check), path, errors)
  if (junctors.not !== undefined && check(junctors.not).length === 0) {
    errors.push(fieldError.junctor(path, 'must not validate the schema (not)'))
  }
}

function checkAnyOf(outcomes: readonly FieldError[][], path: string, errors: FieldError[]): void {
  if (outcomes.length === 0 || outcomes.some((found) => found.length === 0)) return
  errors.push(fieldError.junctor(path, 'must validate at least one schema (anyOf)'), ...(outcomes[0] ?? []))
}

function checkOneOf(outcomes: readonly FieldError[][], path: string, errors: FieldError[]): void {
  const valid = outcomes.filter((found) => found.length === 0).length
  if (outcomes.length === 0 || valid === 1) return
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
  errors.push(fieldError.junctor(path, `must validate one and only one schema (oneOf). ${found}`))
  if (valid === 0) errors.push(...(outcomes[0] ?? []))
}

function checkAllOf(outcomes: readonly FieldError[][], path: string, errors: FieldError[]): void {
  const failed = outcomes.filter((found) => found.length > 0)
  if (failed.length === 0) return
  errors.push(...failed.flat())
  const none = failed.length === outcomes.length ? '. None validated' : ''
  errors.push(fieldError.junctor(path, `must validate all the schemas (allOf)${none}`))
}
