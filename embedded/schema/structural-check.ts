import type { FieldError, FieldReason } from './errors.ts'
import { isObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** Where a place stands: what is implied there, and what is forbidden. */
type Position = 'root' | 'field' | 'item' | 'junctor'

/** Keywords of JSON Schema that no CustomResourceDefinition may use, with what a kube-apiserver says. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  $ref: '$ref is not supported',
  patternProperties: 'patternProperties is not supported',
  dependencies: 'dependencies is not supported',
  definitions: 'definitions is not supported',
  additionalItems: 'additionalItems is not supported',
}

const TYPE_MISSING: Readonly<Record<Exclude<Position, 'junctor'>, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
}

/** What only a schema's own level may say, never a branch of allOf, anyOf, oneOf or not. */
const ONLY_OUTSIDE_JUNCTORS: Readonly<Record<string, string>> = {
  type: 'must be empty to be structural',
  title: 'must be empty to be structural',
  description: 'must be empty to be structural',
  default: 'must be undefined to be structural',
  nullable: 'must be false to be structural',
  additionalProperties: 'must be undefined to be structural',
  'x-kubernetes-preserve-unknown-fields': 'must be false to be structural',
  'x-kubernetes-embedded-resource': 'must be false to be structural',
  'x-kubernetes-int-or-string': 'must be false to be structural',
}

/**
 * Checks whether a schema is structural as CustomResourceDefinition v1 asks, and returns what is wrong.
 * Rule: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function checkStructural(schema: JsonObject, location: string): FieldError[] {
  const errors: FieldError[] = []
  checkPlace(schema, location, 'root', errors)
  if (typeof schema['type'] === 'string' && schema['type'] !== 'object') {
    errors.push(
      refuse(
        'FieldValueInvalid',
        `${location}.type`,
        `Invalid value: ${show(schema['type'])}: must be object at the root`,
      ),
    )
  }
  if (schema['default'] !== undefined) errors.push(forbidden(`${location}.default`, 'must not be set at the root'))
  checkMetadata(schema, location, errors)
  return errors
}

function refuse(reason: FieldReason, field: string, message: string): FieldError {
  return { reason, field, message }
}

function checkPlace(schema: JsonObject, location: string, position: Position, errors: FieldError[]): void {
  for (const [key, detail] of Object.entries(FORBIDDEN)) {
    if (schema[key] !== undefined) errors.push(forbidden(`${location}.${key}`, detail))
  }
  if (position === 'junctor') checkJunctorBranch(schema, location, errors)
  else checkDeclaration(schema, location, position, errors)
  checkChildren(schema, location, position === 'junctor', errors)
}

function forbidden(field: string, detail: string): FieldError {
  return refuse('FieldValueForbidden', field, `Forbidden: ${detail}`)
}

function show(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null)
}

function checkJunctorBranch(schema: JsonObject, location: string, errors: FieldError[]): void {
  // Kubernetes itself spells int-or-string as anyOf of two bare types; that pair alone is let through by the caller.
  for (const [key, detail] of Object.entries(ONLY_OUTSIDE_JUNCTORS)) {
    if (schema[key] !== undefined && schema[key] !== false) errors.push(forbidden(`${location}.${key}`, detail))
  }
}

function checkDeclaration(
  schema: JsonObject,
  location: string,
  position: Exclude<Position, 'junctor'>,
  errors: FieldError[],
): void {
  const typeless =
    schema['x-kubernetes-int-or-string'] === true ||
    (schema['x-kubernetes-preserve-unknown-fields'] === true && position !== 'root')
  if (schema['type'] === undefined && !typeless) {
    errors.push(refuse('FieldValueRequired', `${location}.type`, `Required value: ${TYPE_MISSING[position]}`))
  }
  if (schema['uniqueItems'] === true) {
    errors.push(
      forbidden(
        `${location}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    )
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(
      refuse(
        'FieldValueInvalid',
        `${location}.x-kubernetes-preserve-unknown-fields`,
        'Invalid value: false: must be true or undefined',
      ),
    )
  }
  if (schema['properties'] !== undefined && schema['additionalProperties'] !== undefined) {
    errors.push(
      forbidden(`${location}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    )
  }
  if (schema['type'] === 'array' && schema['items'] === undefined) {
    errors.push(refuse('FieldValueRequired', `${location}.items`, 'Required value: must be specified'))
  }
  checkEmbedded(schema, location, errors)
  checkList(schema, location, errors)
}

function checkEmbedded(schema: JsonObject, location: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-embedded-resource'] !== true) return
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema['properties'] !== undefined) return
  const detail =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
  errors.push(refuse('FieldValueRequired', `${location}.properties`, `Required value: ${detail}`))
}

function checkList(schema: JsonObject, location: string, errors: FieldError[]): void {
  const listType = schema['x-kubernetes-list-type']
  if (listType === undefined) return
  const items = isObject(schema['items']) ? schema['items'] : {}
  if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    const message = `Unsupported value: ${show(listType)}: supported values: "atomic", "set", "map"`
    errors.push(refuse('FieldValueNotSupported', `${location}.x-kubernetes-list-type`, message))
  }
  if (schema['type'] !== 'array') {
    const message = `Invalid value: ${show(schema['type'])}: must be array if x-kubernetes-list-type is specified`
    errors.push(refuse('FieldValueInvalid', `${location}.type`, message))
  }
  if (listType === 'set') checkSetItems(items, `${location}.items`, errors)
  if (listType === 'map') checkMapKeys(schema['x-kubernetes-list-map-keys'], items, location, errors)
}

function checkSetItems(items: JsonObject, location: string, errors: FieldError[]): void {
  if (items['nullable'] === true) {
    errors.push(forbidden(`${location}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
  }
  const kind = items['type'] === 'object' ? 'map' : items['type'] === 'array' ? 'list' : undefined
  if (kind === undefined || items[`x-kubernetes-${kind}-type`] === 'atomic') return
  const message = `Invalid value: ${show(items[`x-kubernetes-${kind}-type`])}: must be atomic as item of a list with x-kubernetes-list-type=set`
  errors.push(refuse('FieldValueInvalid', `${location}.x-kubernetes-${kind}-type`, message))
}

function checkMapKeys(keys: JsonValue | undefined, items: JsonObject, location: string, errors: FieldError[]): void {
  const field = `${location}.x-kubernetes-list-map-keys`
  const names = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  if (names.length === 0) {
    errors.push(
      refuse('FieldValueRequired', field, 'Required value: must not be empty if x-kubernetes-list-type is map'),
    )
  }
  const properties = isObject(items['properties']) ? items['properties'] : {}
  if (!names.every((name) => Object.hasOwn(properties, name))) {
    errors.push(
      refuse('FieldValueInvalid', field, `Invalid value: ${show(names)}: entries must all be names of item properties`),
    )
    return
  }
  const required = Array.isArray(items['required']) ? items['required'] : []
  for (const name of names) {
    const property = properties[name]
    if (required.includes(name) || (isObject(property) && property['default'] !== undefined)) continue
    const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
    errors.push(
      refuse('FieldValueRequired', `${location}.items.properties[${name}].default`, `Required value: ${detail}`),
    )
  }
}

function checkChildren(schema: JsonObject, location: string, inJunctor: boolean, errors: FieldError[]): void {
  const below = (position: Position): Position => (inJunctor ? 'junctor' : position)
  const { properties, items, additionalProperties, not } = schema
  for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(child)) checkPlace(child, `${location}.properties[${name}]`, below('field'), errors)
  }
  if (isObject(items)) checkPlace(items, `${location}.items`, below('item'), errors)
  else if (items !== undefined)
    errors.push(forbidden(`${location}.items`, 'items must be a schema object and not an array'))
  if (isObject(additionalProperties))
    checkPlace(additionalProperties, `${location}.additionalProperties`, below('field'), errors)
  if (isObject(not)) checkPlace(not, `${location}.not`, 'junctor', errors)
  for (const key of ['allOf', 'anyOf', 'oneOf']) checkBranches(schema, key, location, errors)
}

function checkBranches(schema: JsonObject, key: string, location: string, errors: FieldError[]): void {
  const branches = schema[key]
  if (!Array.isArray(branches) || isIntOrStringPair(schema, key, branches)) return
  branches.forEach((branch, i) => {
    if (isObject(branch)) checkPlace(branch, `${location}.${key}[${i}]`, 'junctor', errors)
  })
}

/** `anyOf: [{type: integer}, {type: string}]` beside int-or-string: the one place where branches name a type. */
function isIntOrStringPair(schema: JsonObject, key: string, branches: readonly JsonValue[]): boolean {
  if (key !== 'anyOf' || schema['x-kubernetes-int-or-string'] !== true) return false
  const types = branches.map((branch) => (isObject(branch) ? branch['type'] : undefined))
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string'
}

function checkMetadata(schema: JsonObject, location: string, errors: FieldError[]): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const metadata = properties['metadata']
  if (!isObject(metadata)) return
  const field = `${location}.properties[metadata]`
  if (metadata['type'] !== undefined && metadata['type'] !== 'object') {
    errors.push(
      refuse('FieldValueInvalid', `${field}.type`, `Invalid value: ${show(metadata['type'])}: must be object`),
    )
  }
  const names = Object.keys(isObject(metadata['properties']) ? metadata['properties'] : {})
  if (names.every((name) => name === 'name' || name === 'generateName')) return
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
  errors.push(forbidden(field, detail))
}
