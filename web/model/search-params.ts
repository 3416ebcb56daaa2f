/** Search parameters of addresses: pure. */

/** A parameter as text; undefined where it is missing or empty. The router reads `?q=12` as a number. */
export function readText(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name]
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** A parameter that is one of some words; undefined where it is none of them. */
export function readWord<W extends string>(
  search: Readonly<Record<string, unknown>>,
  name: string,
  words: readonly W[],
): W | undefined {
  return words.find((word) => word === search[name])
}

/** A sort as a parameter: the column, with `-` before it for descending. */
export function readSort(
  search: Readonly<Record<string, unknown>>,
): { readonly column: string; readonly isDescending: boolean } | undefined {
  const text = readText(search, 'sort')
  const column = text?.replace(/^-/, '') ?? ''
  return text === undefined || column === '' ? undefined : { column, isDescending: text.startsWith('-') }
}

/** @see readSort */
export function formatSort(
  sort: { readonly column: string; readonly isDescending: boolean } | undefined,
): string | undefined {
  return sort === undefined ? undefined : `${sort.isDescending ? '-' : ''}${sort.column}`
}

/** Parameters without those that say nothing. */
export function withoutEmpty<S extends Readonly<Record<string, string | true | undefined>>>(search: S): Partial<S> {
  const given: Partial<S> = { ...search }
  for (const name in given) if (given[name] === undefined || given[name] === '') delete given[name]
  return given
}

/** The search part of an address, without `?`; as saved views keep it. */
export function toQuery(search: object): string {
  const given = new Map<string, unknown>(Object.entries(search))
  return new URLSearchParams([...given].map(([name, value]): [string, string] => [name, String(value)])).toString()
}

/** The parameters of {@link toQuery}. */
export function fromQuery(query: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(query))
}
