import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type JsonObject, type JsonValue, isObject } from '../../../embedded/schema/json.ts'
import { compileSchema } from '../../../embedded/schema/structural.ts'

/** A schema beside values that it admits. */
interface Case {
  readonly schema: JsonObject
  readonly values: fc.Arbitrary<JsonValue>
}

const NAMES = ['alpha', 'beta', 'gamma', 'constructor', 'a-b', 'in']

const strings = fc
  .record({ min: fc.integer({ min: 0, max: 3 }), extra: fc.integer({ min: 0, max: 5 }) })
  .map(({ min, extra }): Case => ({
    schema: { type: 'string', minLength: min, maxLength: min + extra },
    values: fc.string({ unit: 'binary', minLength: min, maxLength: min + extra }),
  }))
const integers = fc
  .record({ min: fc.integer({ min: -5, max: 5 }), extra: fc.integer({ min: 0, max: 5 }) })
  .map(({ min, extra }): Case => ({
    schema: { type: 'integer', minimum: min, maximum: min + extra },
    values: fc.integer({ min, max: min + extra }),
  }))
const enums = fc
  .uniqueArray(fc.string(), { minLength: 1, maxLength: 3 })
  .map((options): Case => ({ schema: { type: 'string', enum: options }, values: fc.constantFrom(...options) }))
const booleans = fc.constant<Case>({ schema: { type: 'boolean' }, values: fc.boolean() })

function listOf(item: Case): Case {
  return {
    schema: { type: 'array', items: item.schema, maxItems: 3 },
    values: fc.array(item.values, { maxLength: 3 }),
  }
}

function objectOf(fields: Readonly<Record<string, Case>>): Case {
  const entries = Object.entries(fields)
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))
  const values = Object.fromEntries(entries.map(([name, field]) => [name, field.values]))
  return {
    schema: { type: 'object', properties },
    values: fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<JsonValue>,
  }
}

const { tree } = fc.letrec<{ tree: Case; leaf: Case }>((tie) => ({
  leaf: fc.oneof(strings, integers, enums, booleans),
  tree: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    tie('leaf'),
    tie('tree').map(listOf),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 4 }).map(objectOf),
  ),
}))

/** The tree as `spec` of an object, with a value of its own; and the tree with a default at each leaf. */
const cases = tree.chain(({ schema, values }) => values.map((spec) => ({ schema, spec })))

const inObject = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } })
const anObject = (spec: JsonValue): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec: structuredClone(spec),
})

/** Puts a default beside each boolean, and unknown fields into each object. */
function withDefaults(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withDefaults)
  if (!isObject(schema)) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withDefaults(value)]))
  return schema['type'] === 'boolean' ? { ...copy, default: true } : copy
}

function withUnknown(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withUnknown)
  if (!isObject(value)) return value
  return {
    ...Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withUnknown(entry)])),
    unknown: { x: null },
  }
}

describe('for any schema', () => {
  it('a value made from it is valid, and pruning and defaulting leave it alone', () => {
    fc.assert(
      fc.property(cases, ({ schema, spec }) => {
        const compiled = compileSchema(inObject(schema))
        const object = anObject(spec)
        assert.deepEqual(compiled.prune(object), [])
        compiled.applyDefaults(object)
        assert.deepEqual(compiled.validate(object), [])
        assert.deepEqual(object, anObject(spec))
      }),
    )
  })

  it('pruning takes away exactly what is not declared, and a second time nothing', () => {
    fc.assert(
      fc.property(cases, ({ schema, spec }) => {
        const compiled = compileSchema(inObject(schema))
        const object = anObject(withUnknown(spec))
        assert.equal(
          compiled.prune(object).every((path) => path.endsWith('unknown')),
          true,
        )
        assert.deepEqual(object, anObject(spec))
        assert.deepEqual(compiled.prune(object), [])
      }),
    )
  })

  it('defaulting twice is defaulting once, and its result is valid', () => {
    fc.assert(
      fc.property(cases, ({ schema, spec }) => {
        const compiled = compileSchema(inObject(withDefaults(schema) as JsonObject))
        const once = anObject(spec)
        compiled.applyDefaults(once)
        const twice = structuredClone(once)
        compiled.applyDefaults(twice)
        assert.deepEqual(twice, once)
        assert.deepEqual(compiled.validate(once), [])
      }),
    )
  })
})
