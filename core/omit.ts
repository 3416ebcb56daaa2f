/** A copy of `object` without some of its optional fields: absent, not undefined, as the API server wants it. */
export function omit<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  const copy: { -readonly [P in keyof T]?: T[P] } = { ...object }
  for (const key of keys) delete copy[key]
  return copy
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the fields that are undefined: `exactOptionalPropertyTypes` and the API server know only absent ones. */
export function withoutAbsent<T extends object>(object: T): Present<T>
export function withoutAbsent(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

/** A copy with only those of some fields that are there. */
export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  return picked
}
