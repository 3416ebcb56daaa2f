import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { Value } from 'typebox/value'
import { ERROR_CATEGORIES, OUTCOMES, AgentOutcome } from '../../core/execution/result.ts'
import { isAgentOutcome } from '../../runner/validators.ts'
import { runs } from '../helpers/runs.ts'

const count = fc.nat()
const question = fc.record(
  {
    text: fc.string(),
    header: fc.string({ maxLength: 210 }),
    options: fc.array(fc.string(), { maxLength: 52 }),
    multiple: fc.boolean(),
  },
  { requiredKeys: ['text'] },
)
const outcome = fc.record(
  {
    schemaVersion: fc.constant(1),
    execution: fc.string(),
    jobNumber: fc.integer({ min: 1 }),
    outcome: fc.constantFrom(...OUTCOMES),
    error: fc.record({ category: fc.constantFrom(...ERROR_CATEGORIES), message: fc.string() }),
    exitCode: fc.integer(),
    startedAt: fc.string(),
    finishedAt: fc.string(),
    sessionId: fc.oneof(fc.stringMatching(/^[\w.:-]{1,210}$/), fc.string({ maxLength: 210, unit: 'grapheme' })),
    summary: fc.string(),
    questions: fc.array(question, { maxLength: 22 }),
    costUSD: fc.double({ noNaN: true, min: 0, noDefaultInfinity: true }),
    tokens: fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count }),
    turns: count,
    answer: fc.constantFrom('Usable', 'Unusable', 'Perhaps'),
    resumeAfter: fc.string(),
  },
  { requiredKeys: ['schemaVersion', 'execution', 'jobNumber', 'outcome', 'startedAt', 'finishedAt'] },
)

/** What the schema says: unknown fields are dropped, then everything must fit. */
function bySchema(value: unknown): unknown {
  const cleaned = Value.Clean(AgentOutcome, structuredClone(value))
  return Value.Check(AgentOutcome, cleaned) ? cleaned : undefined
}

/** What the generated function leaves of a copy of the value. */
function parseOutcome(value: unknown): unknown {
  const copy: unknown = structuredClone(value)
  return isAgentOutcome(copy) ? copy : undefined
}

describe('the generated check of outcome.json', () => {
  it('accepts what the schema accepts, and gives the same value', () => {
    fc.assert(fc.property(outcome, (value) => assert.deepEqual(parseOutcome(value), bySchema(value))))
  })

  it('agrees with the schema when one field, at any depth, is something else', () => {
    const paths = [
      'error',
      'error.category',
      'error.message',
      'tokens',
      'tokens.input',
      'questions',
      'questions.0',
      'questions.0.options',
      'questions.0.text',
      'questions.0.multiple',
      ...Object.keys(AgentOutcome.properties),
      'unknown',
      'error.unknown',
      'questions.0.unknown',
    ]
    const junk = fc.oneof(
      fc.constantFrom(null, true, -1, 0, 1.5, '', [], {}, 'x'.repeat(17_000), '😀'.repeat(3000)),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(outcome, fc.constantFrom(...paths), junk, (value, path, other) => {
        const changed = replaceAt(value, path.split('.'), other)
        assert.deepEqual(parseOutcome(changed), bySchema(changed))
      }),
      { numRuns: runs(1000) },
    )
  })

  for (const sessionId of ['--allow-everything', '../../etc', 'a b', 'a\n', ''])
    it(`refuses ${JSON.stringify(sessionId)} as the name of a session`, () => {
      const [value] = fc.sample(outcome, 1)
      assert.equal(parseOutcome({ ...value, sessionId }), undefined)
    })

  it('accepts nothing else', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(parseOutcome(value), undefined)))
  })
})

function replaceAt(value: unknown, [name = '', ...rest]: readonly string[], other: unknown): unknown {
  if (name === '') return other
  if (Array.isArray(value)) return [replaceAt(value[0], rest, other), ...(value.slice(1) as unknown[])]
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...fields, [name]: replaceAt(fields[name], rest, other) }
}
