import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { ANSWER_SCHEMAS } from '../core/answer/schemas.ts'
import { CRD_SCHEMAS } from '../core/crd/schemas.ts'
import { AgentOutcome, ExecutionResult } from '../core/execution/result.ts'
import { ConversationLine } from '../core/rest/messages.ts'
import { ROUTES } from '../core/rest/routes.ts'
import { compileCheck } from '../lib/validate.ts'
import { attacks } from './helpers/attacks.ts'
import { findGrowth } from './helpers/growth.ts'
import { schemasIn } from './helpers/json-schema.ts'

/** All that is judged by a schema before anything else looks at it. */
const SCHEMAS: Readonly<Record<string, unknown>> = {
  ...CRD_SCHEMAS,
  ...Object.fromEntries(ROUTES.map(({ id, params, query, body }) => [id, [params, query, body]])),
  ...ANSWER_SCHEMAS,
  AgentOutcome,
  ExecutionResult,
  ConversationLine,
}

describe('the patterns of our schemas', function () {
  const schemas = Object.entries(SCHEMAS).flatMap(([name, schema]) =>
    [...schemasIn(schema)].flatMap((part) => (typeof part['pattern'] === 'string' ? [{ name, ...part }] : [])),
  )

  it('stand beside the length of the longest text that they are tried on', () => {
    assert.deepEqual(
      schemas.filter((schema) => !('maxLength' in schema)),
      [],
    )
  })

  for (const pattern of new Set(schemas.map((schema) => String(Reflect.get(schema, 'pattern')))))
    it(`${pattern} is judged in linear time`, async () => {
      // Without a maxLength, which would keep the pattern from the text.
      const check = compileCheck(Type.String({ pattern }))
      for (const { unit, suffix } of [...attacks(pattern)].filter(({ prefix }) => prefix === '')) {
        const growth = await findGrowth((size) => check(unit.repeat(size) + suffix), OF_A_CHECK)
        assert.equal(growth, undefined, JSON.stringify(unit))
      }
    })
})

/** RE2 needs up to a microsecond for a character, and there are two in a unit. */
const OF_A_CHECK = { sizes: [24, 6000], suspiciousMs: 60 }
