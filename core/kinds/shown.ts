import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { closed, maybe } from '../rest/fields.ts'

/** What a record shows of fields that people write: the same without limits, because what is stored may be from before them. */
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
