/** What a form changes in a record, as a JSON merge patch (RFC 7396): pure. */
import { type JsonObject, isJsonObject } from '../../core/json.ts'

/** The fields in which `after` differs from `before`; null where it no longer has one. Objects are taken as a whole. */
export function patchOf(before: JsonObject, after: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, toValue(before[name], after[name])]))
}

/** A merge keeps the members of an object that are left out, so that those that are gone are named. */
function toValue(before: unknown, after: unknown): unknown {
  if (after === undefined) return null
  // JSON would make null of it, and that clears; the server refuses the text by its field.
  if (typeof after === 'number' && !Number.isFinite(after)) return String(after)
  return isJsonObject(before) && isJsonObject(after) ? patchOf(before, after) : after
}

function isSame(a: unknown, b: unknown): boolean {
  if (isJsonObject(a) && isJsonObject(b)) return Object.keys(patchOf(a, b)).length === 0
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Without fields that are undefined, '' or an empty list: those were left open in a form. */
export function filled<T extends JsonObject>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> }
export function filled(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isOpen(value)))
}

function isOpen(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A number that was typed; undefined for nothing, and NaN for what is none, which the server then refuses by its field. */
export function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text.trim())
}

/** Lines without those that hold nothing. */
export function parseLines(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
