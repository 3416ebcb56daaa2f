import type { JsonObject } from '../schema/json.ts'

/** An OpenAPI schema of an object that only describes: unknown fields are kept. */
export function describes(description: string, fields: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    description,
    properties: fields,
    'x-kubernetes-preserve-unknown-fields': true,
  }
}

export function field(type: 'string' | 'integer' | 'boolean', description: string): JsonObject {
  return { type, description }
}

export function listOf(items: JsonObject, description: string): JsonObject {
  return { type: 'array', description, items }
}

export function mapOf(type: 'string', description: string): JsonObject {
  return { type: 'object', description, additionalProperties: { type } }
}
