/** A copy of `object` without some of its optional fields: absent, not undefined, as the API server wants it. */
export function omit<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  const copy: { -readonly [P in keyof T]?: T[P] } = { ...object }
  for (const key of keys) delete copy[key]
  return copy
}

/** A copy without the fields that are undefined: `exactOptionalPropertyTypes` and the API server know only absent ones. */
export function withoutAbsent<T extends object>(object: T): { [P in keyof T]?: Exclude<T[P], undefined> } {
  const present: { [P in keyof T]?: Exclude<T[P], undefined> } = {}
  for (const key in object) {
    const value = object[key]
    if (isPresent(value)) present[key] = value
  }
  return present
}

function isPresent<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined
}

/** A copy with only those of some fields that are there. */
export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  return picked
}
