import { readFileSync } from 'node:fs'
import type { FieldError } from '../../embedded/schema/errors.ts'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'

/** What was sent to a real server and what it answered; see test/fixtures/schema/README.md. */
export interface ValueCase {
  readonly name?: string
  readonly old?: JsonObject
  readonly spec: JsonValue
  readonly stored?: JsonValue
  readonly causes?: readonly FieldError[]
}

export interface ValueCases {
  readonly schema: JsonObject
  readonly cases: readonly ValueCase[]
}

const FOLDER = new URL('../../../test/fixtures/schema/', import.meta.url)

function load(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

export const valueCases = (): ValueCases => load('values.json') as ValueCases
export const ruleCases = (): ValueCases => load('rules.json') as ValueCases

/** In an order of their own: Go reports the fields of a map in no fixed order. */
export function sorted(errors: readonly FieldError[]): FieldError[] {
  return errors
    .map(({ reason, field, message }) => ({ reason, field, message }))
    .sort((a, b) => (a.field + a.message < b.field + b.message ? -1 : 1))
}
