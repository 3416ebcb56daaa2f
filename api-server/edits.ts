import type { Static, TObject } from 'typebox'
import { InvalidRequest } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { mergeEdit } from '../core/rest/edit.ts'
import { compileCheck } from '../lib/validate.ts'

/**
 * A function that merges a PUT into what is stored and checks the result by the schema of what people write.
 *
 * It returns undefined when the PUT changes nothing.
 *
 * @throws ReadOnlyField, InvalidRequest naming the fields that no longer fit
 */
export function createEditor<S extends TObject>(
  schema: S,
): (record: JsonObject, before: JsonObject, patch: JsonObject) => Static<S> | undefined {
  const check = compileCheck(schema)
  const writable = new Set(Object.keys(schema.properties))
  return (record, before, patch) => {
    const merged = mergeEdit(record, before, patch, writable)
    if (merged === undefined) return undefined
    const checked = check(merged)
    if (checked.ok) return checked.value
    throw new InvalidRequest(checked.problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
  }
}
