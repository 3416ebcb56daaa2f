import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '../../../embedded/schema/json.ts'
import { compileSchema } from '../../../embedded/schema/structural.ts'
import { ruleCases, sorted, valueCases } from '../../helpers/schema-cases.ts'

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
