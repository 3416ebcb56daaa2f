/**
 * Schemas as the OpenAPI document shows them. A shape with a name stands once, under `components/schemas`, and is
 * referred to everywhere else; it is found by what it says, not by identity, because an optional member is a copy.
 */
import type { TSchema } from 'typebox'
import type { JsonObject } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import { describeFields } from './descriptions.ts'

/** A shape and its name, as core/rest/docs.ts lists them. */
export type NamedShape = readonly [schema: TSchema, name: string]

export interface SchemaPrinter {
  /** The schema with every named shape inside it, or itself, replaced by a reference. */
  print(schema: TSchema): JsonObject
  /** `components/schemas`. */
  readonly components: JsonObject
}

export function createSchemaPrinter(shapes: readonly NamedShape[]): SchemaPrinter {
  const names = new Map(shapes.map(([schema, name]) => [JSON.stringify(schema), name]))
  const print = (schema: unknown): unknown => {
    const name = names.get(JSON.stringify(schema))
    return name === undefined ? printParts(schema) : { $ref: `#/components/schemas/${name}` }
  }
  const printParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(print)
    if (!isJsonObject(value)) return value
    const printed = Object.entries(value).map(([key, part]) => [key, key === 'enum' ? part : print(part)])
    return simplify(Object.fromEntries(printed))
  }
  const components = shapes.map(([schema, name]) => [name, describeFields(name, asObject(printParts(schema)))])
  return { print: (schema) => asObject(print(schema)), components: Object.fromEntries(components) }
}

/** What validates the same and reads better: the type of an enum of texts, and maps as `additionalProperties`. */
function simplify(schema: JsonObject): JsonObject {
  const { patternProperties, enum: values, ...rest } = schema
  if (isJsonObject(patternProperties)) return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  if (!Array.isArray(values)) return schema
  return values.every((value) => typeof value === 'string') ? { type: 'string', ...schema } : schema
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
