import type { FieldError } from './errors.ts'
import { type JsonObject, type JsonValue, fieldOf, isObject, jsonEquals } from './json.ts'
import { isDateTime } from './date-time.ts'
import { matchItems, validateListItems } from './lists.ts'
import { fieldError } from './messages.ts'
import type { Constraints, SchemaNode } from './node.ts'

/**
 * Checks a value against the schema, CEL rules apart, and adds what is wrong to `errors`.
 *
 * Pruned and defaulted values are expected: what the schema does not declare is not looked at. With `old`, what an
 * update leaves as it was is let pass although the schema has become stricter since (ratcheting).
 */
export function validateNode(
  node: SchemaNode,
  value: JsonValue,
  path: string,
  errors: FieldError[],
  old?: JsonValue,
): void {
  if (old !== undefined && jsonEquals(value, old)) return
  if (node.anyOf.length > 0) checkAnyOf(node.anyOf, value, path, errors)
  checkType(node, value, path, errors)
  const { constraints } = node
  if (constraints.enum !== undefined) checkEnum(constraints.enum, value, path, errors)
  if (typeof value === 'string') checkString(constraints, value, path, errors)
  else if (typeof value === 'number') checkNumber(constraints, value, path, errors)
  else if (Array.isArray(value)) checkArray(node, value, path, errors, old)
  else if (isObject(value)) checkObject(node, value, path, errors, old)
}

/** When no branch holds, what is wrong with the first one is told too, as a kube-apiserver tells its best match. */
function checkAnyOf(branches: readonly SchemaNode[], value: JsonValue, path: string, errors: FieldError[]): void {
  const outcomes = branches.map((branch) => {
    const found: FieldError[] = []
    validateNode(branch, value, path, found)
    return found
  })
  if (outcomes.some((found) => found.length === 0)) return
  errors.push(fieldError.anyOf(path), ...(outcomes[0] ?? []))
}

function checkType(node: SchemaNode, value: JsonValue, path: string, errors: FieldError[]): void {
  const found = typeOf(value)
  if (node.intOrString) {
    if (found !== 'integer' && found !== 'string') errors.push(fieldError.type(path, 'integer,string', found))
    return
  }
  const { type } = node
  if (type === undefined || type === found || (type === 'number' && found === 'integer')) return
  errors.push(fieldError.type(path, type, found))
}

/** JSON Schema's name of a value's type; a whole number is an integer only while it fits 64 bits. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'number') return typeof value
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number'
}

function checkEnum(options: readonly JsonValue[], value: JsonValue, path: string, errors: FieldError[]): void {
  if (!options.includes(value)) errors.push(fieldError.notSupported(path, value, options))
}

function checkString(constraints: Constraints, value: string, path: string, errors: FieldError[]): void {
  const { minLength, maxLength, pattern } = constraints
  if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
    // A kube-apiserver checks its format all the same; that would mean to read it, however long it is.
    errors.push(fieldError.tooLong(path, maxLength))
    return
  }
  if (minLength !== undefined && characters(value) < minLength) {
    errors.push(fieldError.body(path, value, `should be at least ${minLength} chars long`))
  } else if (pattern !== undefined && !pattern.test(value)) {
    errors.push(fieldError.body(path, value, `should match '${pattern.source}'`))
  }
  if (constraints.isDateTime && !isDateTime(value)) errors.push(fieldError.dateTime(path, value))
}

/** Code points, as Go counts runes. */
function characters(value: string): number {
  let count = 0
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i)
    if (unit < 0xdc00 || unit > 0xdfff) count += 1
  }
  return count
}

function checkNumber(constraints: Constraints, value: number, path: string, errors: FieldError[]): void {
  const { minimum, maximum } = constraints
  const invalid = (rest: string): void => void errors.push(fieldError.body(path, value, rest))
  if (maximum !== undefined && value > maximum) invalid(`should be less than or equal to ${maximum}`)
  if (minimum !== undefined && value < minimum) invalid(`should be greater than or equal to ${minimum}`)
}

function checkArray(
  node: SchemaNode,
  list: JsonValue[],
  path: string,
  errors: FieldError[],
  old: JsonValue | undefined,
): void {
  const { items, constraints } = node
  if (items !== undefined) {
    const oldOf = matchItems(node, old)
    list.forEach((item, i) => validateNode(items, item, `${path}[${i}]`, errors, oldOf?.(item)))
  }
  const { minItems, maxItems } = constraints
  if (minItems !== undefined && list.length < minItems) {
    errors.push(fieldError.body(path, list.length, `should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && list.length > maxItems) errors.push(fieldError.tooMany(path, list.length, maxItems))
  if (node.listType !== 'atomic') validateListItems(node, list, path, errors)
}

function checkObject(
  node: SchemaNode,
  object: JsonObject,
  path: string,
  errors: FieldError[],
  old: JsonValue | undefined,
): void {
  const { constraints } = node
  const { maxProperties } = constraints
  if (maxProperties !== undefined) {
    const count = Object.keys(object).length
    if (count > maxProperties) errors.push(fieldError.tooMany(path, count, maxProperties))
  }
  for (const name of constraints.required) {
    if (fieldOf(object, name) === undefined) errors.push(fieldError.required(childPath(path, name)))
  }
  checkFields(node, object, path, errors, isObject(old) ? old : {})
}

function checkFields(node: SchemaNode, object: JsonObject, path: string, errors: FieldError[], old: JsonObject): void {
  for (const [name, child] of node.properties) {
    const value = fieldOf(object, name)
    if (value !== undefined) validateNode(child, value, childPath(path, name), errors, fieldOf(old, name))
  }
  const { additionalProperties } = node
  if (additionalProperties === undefined) return
  for (const [name, value] of Object.entries(object)) {
    if (node.properties.has(name)) continue
    validateNode(additionalProperties, value, childPath(path, name), errors, fieldOf(old, name))
  }
}

function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
