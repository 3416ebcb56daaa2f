import { SchemaError } from './errors.ts'
import type { FieldError } from './errors.ts'
import type { JsonObject } from './json.ts'

export { SchemaError } from './errors.ts'
export type { FieldError, FieldReason } from './errors.ts'

/** One compiled `openAPIV3Schema`: what a kube-apiserver does to an object of a custom kind before it stores it. */
export interface StructuralSchema {
  /** Removes what the schema does not declare, in place; returns the paths removed, for Strict and Warn. */
  prune(object: JsonObject): string[]
  /** Fills defaults in place: absent fields and nulls that are not nullable, never below an absent parent. */
  applyDefaults(object: JsonObject): void
  /** Schema first, then CEL rules; `old` is the stored object of an update, for transition rules. */
  validate(object: JsonObject, old?: JsonObject): FieldError[]
}

/** @throws SchemaError carrying FieldErrors with the field paths a real API server uses for a bad CRD */
export function compileSchema(openAPIV3Schema: JsonObject): StructuralSchema {
  throw new SchemaError([{ reason: 'FieldValueInvalid', field: '', message: JSON.stringify(openAPIV3Schema) }])
}
