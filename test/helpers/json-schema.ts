/** What fits a JSON schema, for tests that go through each of its places. */
import { asRecord } from '../../core/json.ts'

/** One place of a schema where a text may stand, and a value with `text` there. */
export interface Filled {
  readonly place: string
  readonly value: unknown
}

/** A value for each place of the schema where a text may stand, names in maps and an unknown field included. */
export function* fillEach(schema: unknown, text: string, place = ''): Generator<Filled> {
  const { anyOf, properties, patternProperties, additionalProperties, items, type } = asRecord(schema)
  for (const branch of listOf(anyOf)) yield* fillEach(branch, text, place)
  if (type === 'string') yield { place, value: text }
  for (const { place: at, value } of items === undefined ? [] : fillEach(items, text, `${place}[]`))
    yield { place: at, value: [value] }
  // Maps as JSON Schema and as structural schemas write them.
  for (const inMap of [...Object.values(asRecord(patternProperties)), additionalProperties].filter(isSchema)) {
    yield { place: `${place}{name}`, value: { [text]: leastOf(inMap) } }
    for (const { place: at, value } of fillEach(inMap, text, `${place}{}`)) yield { place: at, value: { name: value } }
  }
  if (type !== 'object') return
  const least = asRecord(leastOf(schema))
  yield { place: `${place}.unknown`, value: { ...least, [text]: 1 } }
  for (const [name, property] of Object.entries(asRecord(properties)))
    for (const { place: at, value } of fillEach(property, text, `${place}.${name}`))
      yield { place: at, value: { ...least, [name]: value } }
}

/** The least that has the form of a schema; its limits may be broken. */
export function leastOf(schema: unknown): unknown {
  const { anyOf, properties, required, type, enum: options, const: only } = asRecord(schema)
  if (only !== undefined) return only
  if (Array.isArray(options)) return options[0]
  if (Array.isArray(anyOf)) return leastOf(anyOf[0])
  if (type === 'object') {
    const fields = listOf(required).map((name) => [name, leastOf(asRecord(properties)[String(name)])])
    return Object.fromEntries(fields)
  }
  return { string: 'x', integer: 1, number: 1, boolean: true, array: [], null: null }[String(type)]
}

/** Every schema in a schema, itself included. */
export function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield asRecord(schema)
  for (const part of Object.values(schema)) yield* schemasIn(part)
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object'
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
