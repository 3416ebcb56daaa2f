import { SchemaError } from './errors.ts'
import { type JsonObject, type JsonValue, isObject, objectsIn, textsIn } from './json.ts'
import { type Constraints, type RuleSource, type SchemaNode, type SchemaType, SCHEMA_TYPES } from './node.ts'
import { compilePattern } from '../../lib/pattern.ts'
import { messageOf } from '../../lib/error-message.ts'

const RULE_FIELDS = new Set(['rule', 'message', 'messageExpression', 'fieldPath'])
/** Those of numbers say nothing beyond the type. */
const FORMATS = new Set(['int32', 'int64', 'date-time'])
/** What the schemas of the program use; what is not here would be let pass unchecked. */
const KEYWORDS = new Set(
  [
    'type format description properties additionalProperties items required default enum pattern minLength maxLength',
    'minItems maxItems maxProperties minimum maximum anyOf x-kubernetes-int-or-string x-kubernetes-list-type',
    'x-kubernetes-list-map-keys x-kubernetes-preserve-unknown-fields x-kubernetes-validations',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Parses one place of a schema and everything below it.
 *
 * The schema comes with the program and is structural: a real kube-apiserver checks that (test/cluster).
 *
 * @throws SchemaError for a type or pattern that is none, and for what is not served
 */
export function parseNode(schema: JsonObject, location: string): SchemaNode {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword))
  if (unknown !== undefined) throw notServed(`${location}.${unknown}`, unknown)
  const type = parseType(schema, location)
  const items = schema['items']
  return {
    location,
    ...(type !== undefined && { type }),
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    properties: parseProperties(schema['properties'], `${location}.properties`),
    ...parseAdditional(schema['additionalProperties'], `${location}.additionalProperties`),
    ...(isObject(items) && { items: parseNode(items, `${location}.items`) }),
    ...(schema['default'] !== undefined && { default: schema['default'] }),
    listType: parseListType(schema['x-kubernetes-list-type']),
    listMapKeys: textsIn(schema['x-kubernetes-list-map-keys']),
    constraints: parseConstraints(schema, location),
    anyOf: objectsIn(schema['anyOf']).map((branch, i) => parseNode(branch, `${location}.anyOf[${i}]`)),
    rules: parseRules(schema['x-kubernetes-validations'], `${location}.x-kubernetes-validations`),
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
  if (typeof value === 'boolean') throw notServed(location, `additionalProperties: ${value}`)
  return isObject(value) ? { additionalProperties: parseNode(value, location) } : {}
}

function parseListType(value: JsonValue | undefined): SchemaNode['listType'] {
  return value === 'set' || value === 'map' ? value : 'atomic'
}

function parseConstraints(schema: JsonObject, location: string): Constraints {
  const options = schema['enum']
  const { format } = schema
  if (typeof format === 'string' && !FORMATS.has(format)) throw notServed(`${location}.format`, format)
  return {
    required: textsIn(schema['required']),
    ...(Array.isArray(options) && { enum: options }),
    ...parsePattern(schema['pattern'], location),
    isDateTime: format === 'date-time',
    ...numberAt(schema, 'minLength'),
    ...numberAt(schema, 'maxLength'),
    ...numberAt(schema, 'minItems'),
    ...numberAt(schema, 'maxItems'),
    ...numberAt(schema, 'maxProperties'),
    ...numberAt(schema, 'minimum'),
    ...numberAt(schema, 'maximum'),
  }
}

function notServed(field: string, what: string): SchemaError {
  const message = `Forbidden: ${what} is not served: this control plane knows of schemas what its own kinds use; other kinds need a cluster`
  return new SchemaError([{ reason: 'FieldValueForbidden', field, message }])
}

function parsePattern(source: JsonValue | undefined, location: string) {
  if (typeof source !== 'string') return {}
  try {
    const pattern = compilePattern(source)
    return { pattern: { source, test: (value: string) => pattern.test(value) } }
  } catch (error) {
    const detail = messageOf(error)
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

function parseRules(value: JsonValue | undefined, location: string): RuleSource[] {
  const unknown = objectsIn(value)
    .flatMap(Object.keys)
    .find((name) => !RULE_FIELDS.has(name))
  if (unknown !== undefined) throw notServed(`${location}.${unknown}`, unknown)
  return objectsIn(value).map((source) => ({
    rule: typeof source['rule'] === 'string' ? source['rule'] : '',
    message: text(source['message']),
    messageExpression: text(source['messageExpression']),
    fieldPath: text(source['fieldPath']),
  }))
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
