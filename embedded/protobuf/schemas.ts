import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'
import { type Field, fieldsIn } from './fields.ts'
import { MESSAGES } from './messages.ts'

/** As real servers name it; ObjectMeta has a schema that describes more than the message does. */
export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** How OpenAPI says what is no message. */
const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  'meta.v1.Time': { type: 'string', format: 'date-time' },
  'meta.v1.MicroTime': { type: 'string', format: 'date-time' },
  'meta.v1.FieldsV1': { type: 'object' },
  Quantity: { type: 'string' },
  IntOrString: { type: 'string', format: 'int-or-string' },
}

/**
 * The OpenAPI schemas of a built-in kind's message and of all messages in it, by name: every field with its type, so
 * that `kubectl explain job.spec.template.spec` finds its way. Descriptions are those of `described`, a schema of the
 * same form that has only what we have to say; names are those of real servers.
 *
 * @param message of MESSAGES
 */
export function messageSchemas(message: string, described: JsonObject): ReadonlyMap<string, JsonObject> {
  const schemas = new Map<string, JsonObject>()
  addSchemas(message, described, schemas)
  return schemas
}

/** As real servers name the schema of a message. */
export function schemaNameOf(message: string): string {
  return message.startsWith('meta.') ? `io.k8s.apimachinery.pkg.apis.${message}` : `io.k8s.api.${message}`
}

function addSchemas(message: string, described: JsonObject, schemas: Map<string, JsonObject>): void {
  const name = schemaNameOf(message)
  if (name === OBJECT_META || schemas.has(name)) return
  const texts = objectAt(described, 'properties')
  const fields = fieldsIn(message)
  const properties = fields.map((field) => [field.name, toProperty(field, objectAt(texts, field.name))])
  const { description } = described
  schemas.set(name, {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(properties),
  })
  for (const { name: key, type } of fields) {
    const text = objectAt(texts, key)
    if (MESSAGES[type] !== undefined) addSchemas(type, isObject(text['items']) ? text['items'] : text, schemas)
  }
}

function toProperty({ type, shape }: Field, { description }: JsonObject): JsonObject {
  const text = description === undefined ? {} : { description }
  const reference = { allOf: [{ $ref: `#/components/schemas/${schemaNameOf(type)}` }], default: {} }
  const one = MESSAGES[type] === undefined ? (SCALARS[type] ?? {}) : reference
  if (shape === '[]') return { ...text, type: 'array', items: one }
  if (shape === '{}') return { ...text, type: 'object', additionalProperties: one }
  return { ...one, ...text }
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value: JsonValue | undefined = object[name]
  return isObject(value) ? value : {}
}
