import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '../../../embedded/schema/json.ts'
import { compileSchema, SchemaError } from '../../../embedded/schema/structural.ts'
import type { FieldError } from '../../../embedded/schema/structural.ts'
import { definitionCases, ruleCases, sorted, valueCases } from '../../helpers/schema-cases.ts'

/** Where the embedded server says no as well, in other words; see docs/embedded.md. */
const OTHER_WORDS = new Set(['hasnofield', 'syntax', 'rootdefault', 'array root'])
/** Macros of a later CEL than the library's: a real server takes them, we refuse them when the CRD is created. */
const NOT_SUPPORTED = new Set(['two', 'optmap'])
/** The library does not tell which index was out of range. */
const LESS_DETAIL = new Set(['{"sub":{"x":"a"}}'])

function anObject(name: string, spec: JsonValue): JsonObject {
  return { apiVersion: 'probe.example.com/v1', kind: 'Thing', metadata: { name }, spec: structuredClone(spec) }
}

for (const [title, { schema, cases }] of [
  ['values', valueCases()],
  ['rules', ruleCases()],
] as const) {
  describe(`a schema validates as a real server did: ${title}`, () => {
    const compiled = compileSchema(schema)
    const prepare = (name: string, spec: JsonValue): JsonObject => {
      const object = anObject(name, spec)
      compiled.prune(object)
      compiled.applyDefaults(object)
      return object
    }
    for (const { name = 'thing', spec, old, stored, causes } of cases) {
      const text = JSON.stringify(spec)
      it(`${old === undefined ? '' : `${JSON.stringify(old)} → `}${text}`, () => {
        const object = prepare(name, spec)
        const errors = compiled.validate(object, old && prepare(name, old))
        if (LESS_DETAIL.has(text)) assert.equal(errors.length, causes?.length)
        else assert.deepEqual(sorted(errors), sorted(causes ?? []))
        if (causes === undefined) assert.deepEqual(object['spec'] ?? null, stored)
      })
    }
  })
}

function errorsOf(schema: JsonObject): readonly FieldError[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    if (error instanceof SchemaError) return error.errors
    throw error
  }
}

describe('a schema is accepted or refused as by a real server', () => {
  for (const { name, schema, causes = [] } of definitionCases()) {
    it(name, () => {
      const errors = errorsOf(schema)
      if (NOT_SUPPORTED.has(name)) assert.match(errors[0]?.message ?? '', /is not supported by this API server/)
      else if (OTHER_WORDS.has(name)) assert.equal(errors.length > 0, causes.length > 0)
      else assert.deepEqual(sorted(errors), sorted(causes))
    })
  }
})
