import { apiError } from '../errors.ts'
import { type JsonObject, isJsonObject as isObject, isSame } from '../json.ts'

/**
 * What a PUT changes: the writable fields of `record` with the patch merged in (RFC 7396: null clears, objects merge,
 * lists are replaced). A field that repeats what is there is no change, whether it is writable or not, so a client
 * may send back a whole record that it has read.
 *
 * @param input the writable fields as stored; may differ from the record, which shows what was classified
 * @returns the new writable fields, still to be checked, or undefined when nothing changes
 * @throws ApiError `read_only_field` when the patch differs from the record in a field that is not writable
 */
export function mergeEdit(
  record: JsonObject,
  input: JsonObject,
  patch: JsonObject,
  writable: ReadonlySet<string>,
): JsonObject | undefined {
  const changes = Object.entries(patch).filter(([name, value]) => !isSame(value, record[name]))
  const refused = changes.find(([name]) => !writable.has(name))
  if (refused !== undefined) throw apiError('read_only_field', refused[0])
  if (changes.length === 0) return undefined
  return asObject(mergePatch(input, withoutRepetitions(record, Object.fromEntries(changes))))
}

/** Below the top level too, only what differs from the record is a change: `agent.type` may show a classification. */
function withoutRepetitions(record: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const shown = record[name]
      if (!isObject(value) || !isObject(shown)) return [name, value]
      return [name, Object.fromEntries(Object.entries(value).filter(([key, member]) => !isSame(member, shown[key])))]
    }),
  )
}

/** RFC 7396, section 2. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** The smallest patch that makes `after` from `before` (RFC 7396): null for what is gone; lists are given whole. */
export function toMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  return Object.fromEntries(
    changed.map((name) => {
      const [was, is] = [before[name], after[name]]
      return [name, isObject(was) && isObject(is) ? toMergePatch(was, is) : (is ?? null)]
    }),
  )
}

/**
 * The stored spec with what an edit changes in it, and nothing else: what it leaves alone keeps the words of its author (a
 * duration `60m`, an older key), and what REST does not show stays. So the manifest it came from differs in the edit only.
 *
 * @param before what REST shows of the stored spec, as a spec
 * @param after the same after the edit
 */
export function editSpec<S extends object>(stored: S, before: S, after: S): S
export function editSpec(stored: object, before: object, after: object): object {
  const edited = new Map<string, unknown>(Object.entries(stored))
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))]
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const value = editValue(edited.get(name), was.get(name), is.get(name))
    if (value === undefined) edited.delete(name)
    else edited.set(name, value)
  }
  return Object.fromEntries(edited)
}

function editValue(stored: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return stored
  if (!isObject(stored) || !isObject(before)) return after
  if (isObject(after)) return editSpec(stored, before, after)
  if (after !== undefined) return after
  const rest = editSpec(stored, before, {})
  return Object.keys(rest).length === 0 ? undefined : rest
}

function asObject(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw apiError('invalid_request', 'the body must be an object')
}
