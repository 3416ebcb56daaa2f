/** A copy of `object` without some of its optional fields: absent, not undefined, as the API server wants it. */
export function omit<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  const copy: { -readonly [P in keyof T]?: T[P] } = { ...object }
  for (const key of keys) delete copy[key]
  return copy
}
