import { SchemaError } from './errors.ts'
import { findFormat } from './formats.ts'
import { isObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { SCHEMA_TYPES } from './node.ts'
import type { Bound, Constraints, Junctors, RuleSource, SchemaNode, SchemaType } from './node.ts'
import { compilePattern } from '../../lib/pattern.ts'

/**
 * Parses one place of a schema and everything below it.
 *
 * The schema comes with the program and is structural: a real kube-apiserver checks that (test/cluster).
 *
 * @throws SchemaError for a type or pattern that is none
 */
export function parseNode(schema: JsonObject, location: string): SchemaNode {
  const type = parseType(schema, location)
  const items = schema['items']
  return {
    location,
    ...(type !== undefined && { type }),
    ...(typeof schema['format'] === 'string' && { formatName: schema['format'] }),
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    nullable: schema['nullable'] === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    properties: parseProperties(schema['properties'], `${location}.properties`),
    ...parseAdditional(schema['additionalProperties'], `${location}.additionalProperties`),
    ...(isObject(items) && { items: parseNode(items, `${location}.items`) }),
    ...(schema['default'] !== undefined && { default: schema['default'] }),
    listType: parseListType(schema['x-kubernetes-list-type']),
    listMapKeys: strings(schema['x-kubernetes-list-map-keys']),
    constraints: parseConstraints(schema, location),
    ...parseJunctors(schema, location),
    rules: parseRules(schema['x-kubernetes-validations']),
  }
}

function parseType(schema: JsonObject, location: string): SchemaType | undefined {
  const type = schema['type']
  const known = SCHEMA_TYPES.find((name) => name === type)
  if (known === undefined && type !== undefined && type !== '') {
    const supported = [...SCHEMA_TYPES].sort().map((name) => JSON.stringify(name))
    const message = `Unsupported value: ${JSON.stringify(type)}: supported values: ${supported.join(', ')}`
    throw new SchemaError([{ reason: 'FieldValueNotSupported', field: `${location}.type`, message }])
  }
  return known
}

function parseProperties(value: JsonValue | undefined, location: string) {
  const entries = isObject(value) ? Object.entries(value) : []
  return new Map(
    entries.map(([name, schema]) => [name, parseNode(isObject(schema) ? schema : {}, `${location}[${name}]`)]),
  )
}

function parseAdditional(value: JsonValue | undefined, location: string) {
  if (typeof value === 'boolean') return { additionalProperties: value }
  return isObject(value) ? { additionalProperties: parseNode(value, location) } : {}
}

function parseListType(value: JsonValue | undefined): SchemaNode['listType'] {
  return value === 'set' || value === 'map' ? value : 'atomic'
}

function parseConstraints(schema: JsonObject, location: string): Constraints {
  const options = schema['enum']
  const format = typeof schema['format'] === 'string' ? findFormat(schema['format']) : undefined
  return {
    required: strings(schema['required']),
    ...(Array.isArray(options) && { enum: options }),
    ...parsePattern(schema['pattern'], location),
    ...(format !== undefined && { format }),
    ...numberAt(schema, 'multipleOf'),
    ...numberAt(schema, 'minLength'),
    ...numberAt(schema, 'maxLength'),
    ...numberAt(schema, 'minItems'),
    ...numberAt(schema, 'maxItems'),
    ...numberAt(schema, 'minProperties'),
    ...numberAt(schema, 'maxProperties'),
    ...boundAt(schema, 'minimum', 'exclusiveMinimum'),
    ...boundAt(schema, 'maximum', 'exclusiveMaximum'),
  }
}

function parsePattern(source: JsonValue | undefined, location: string) {
  if (typeof source !== 'string') return {}
  try {
    const pattern = compilePattern(source)
    return { pattern: { source, test: (value: string) => pattern.test(value) } }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const message = `Invalid value: ${JSON.stringify(source)}: must be a valid regular expression, but isn't: ${detail}`
    throw new SchemaError([{ reason: 'FieldValueInvalid', field: `${location}.pattern`, message }], { cause: error })
  }
}

function numberAt<K extends keyof Constraints>(schema: JsonObject, key: K): Partial<Record<K, number>> {
  const value = schema[key]
  const found: Partial<Record<K, number>> = {}
  if (typeof value === 'number') found[key] = value
  return found
}

function boundAt<K extends 'minimum' | 'maximum'>(schema: JsonObject, key: K, exclusiveKey: string) {
  const value = schema[key]
  const found: Partial<Record<K, Bound>> = {}
  if (typeof value === 'number') found[key] = { value, exclusive: schema[exclusiveKey] === true }
  return found
}

function parseJunctors(schema: JsonObject, location: string): { junctors?: Junctors } {
  const branches = (key: string): SchemaNode[] =>
    objects(schema[key]).map((branch, i) => parseNode(branch, `${location}.${key}[${i}]`))
  const not = schema['not']
  const junctors = {
    allOf: branches('allOf'),
    anyOf: branches('anyOf'),
    oneOf: branches('oneOf'),
    ...(isObject(not) && { not: parseNode(not, `${location}.not`) }),
  }
  const any = junctors.allOf.length + junctors.anyOf.length + junctors.oneOf.length > 0 || junctors.not !== undefined
  return any ? { junctors } : {}
}

function parseRules(value: JsonValue | undefined): RuleSource[] {
  return objects(value).map((source) => ({
    rule: typeof source['rule'] === 'string' ? source['rule'] : '',
    message: text(source['message']),
    messageExpression: text(source['messageExpression']),
    fieldPath: text(source['fieldPath']),
    reason: parseReason(source['reason']),
    optionalOldSelf: source['optionalOldSelf'] === true,
  }))
}

function parseReason(value: JsonValue | undefined): RuleSource['reason'] {
  const reasons = ['FieldValueRequired', 'FieldValueInvalid', 'FieldValueForbidden', 'FieldValueDuplicate'] as const
  return reasons.find((reason) => reason === value)
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
