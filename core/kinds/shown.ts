import { type TProperties, type TSchema, Type } from 'typebox'
import { closed, maybe } from '../schema/fields.ts'

/** The fields of a record: those that people write, without limits, because stored objects may be older than a limit. */
export function shown<P extends TProperties>(properties: P): P
export function shown(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutLimits(schema)]))
}

function withoutLimits(schema: TSchema): TSchema {
  const free = freeOf(schema)
  return Type.IsOptional(schema) ? maybe(free) : free
}

function freeOf(schema: TSchema): TSchema {
  if (Type.IsObject(schema)) return closed(shown(schema.properties))
  if (Type.IsArray(schema)) return Type.Array(withoutLimits(schema.items))
  if (Type.IsRecord(schema)) return Type.Record(Type.String(), withoutLimits(Type.RecordValue(schema)))
  if (Type.IsUnion(schema)) return Type.Union(schema.anyOf.map(withoutLimits))
  if (Type.IsString(schema)) return Type.String()
  if (Type.IsInteger(schema)) return Type.Integer()
  return Type.IsNumber(schema) ? Type.Number() : schema
}
