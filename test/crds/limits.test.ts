import assert from 'node:assert/strict'
import { type Kind, crdField } from '../../core/crd-field.ts'
import { AgentOutcome, ExecutionError, ExecutionResult, Question } from '../../core/execution/result.ts'
import { MAX_DECISIONS } from '../../core/decision.ts'
import { MAX_COMMENT_LENGTH } from '../../core/task/decide.ts'

const KIB = 1024

/** The limits that the decisions (section 2) name. */
const LENGTHS: readonly (readonly [Kind, string, number])[] = [
  ['Task', 'spec.title', 200],
  ['Story', 'spec.title', 200],
  ['Epic', 'spec.title', 200],
  ['Project', 'spec.title', 200],
  ['Task', 'spec.description', 128 * KIB],
  ['Task', 'spec.agent.instructions', 128 * KIB],
  ['Task', 'spec.claude.instructions', 128 * KIB],
  ['Story', 'spec.spec', 128 * KIB],
  ['Task', 'status.answer', 64 * KIB],
  ['Task', 'status.rejectionComment', 64 * KIB],
  ['Execution', 'status.summary', 16 * KIB],
]

const COUNTS: readonly (readonly [Kind, string, number])[] = [
  ['Task', 'spec.dependsOn', 100],
  ['Task', 'status.decisions', MAX_DECISIONS],
  ['Story', 'spec.acceptanceCriteria', 50],
  ['Agent', 'status.outcomes', 50],
  ['Agent', 'status.events', 500],
]

describe('the limits of the CRDs', () => {
  for (const [kind, path, length] of LENGTHS)
    it(`allow ${length} characters in ${path} of a ${kind}`, () => {
      assert.equal(crdField(kind, path).maxLength, length)
    })

  for (const [kind, path, count] of COUNTS)
    it(`allow ${count} items in ${path} of ${kind}`, () => {
      assert.equal(crdField(kind, path).maxItems, count)
    })

  it('have room for the comment of a decision as it is cut', () => {
    assert.equal(crdField('Task', 'status.decisions[].comment').maxLength, MAX_COMMENT_LENGTH)
  })
})

describe('what a runner may report', () => {
  it('fits into the status of an Execution', () => {
    const status = (field: string) => crdField('Execution', `status.${field}`)
    assert.equal(status('summary').maxLength, limit(AgentOutcome.properties.summary, 'maxLength'))
    assert.equal(status('sessionId').maxLength, limit(AgentOutcome.properties.sessionId, 'maxLength'))
    assert.equal(status('questions').maxItems, limit(AgentOutcome.properties.questions, 'maxItems'))
    assert.equal(status('commits').maxItems, limit(ExecutionResult.properties.commits, 'maxItems'))
    assert.equal(status('branch').maxLength, limit(ExecutionResult.properties.branch, 'maxLength'))
    assert.equal(status('error.message').maxLength, limit(ExecutionError.properties.message, 'maxLength'))
  })

  it('asks questions that fit into Task and Execution alike', () => {
    for (const items of [crdField('Task', 'status.question.items[]'), crdField('Execution', 'status.questions[]')]) {
      const { text, header, options } = items.properties ?? {}
      assert.equal(text?.maxLength, limit(Question.properties.text, 'maxLength'))
      assert.equal(header?.maxLength, limit(Question.properties.header, 'maxLength'))
      assert.equal(options?.maxItems, limit(Question.properties.options, 'maxItems'))
      assert.equal(options?.items?.maxLength, limit(Question.properties.options.items, 'maxLength'))
    }
  })
})

describe('crdField', () => {
  it('finds the items of a list', () => {
    assert.equal(crdField('Task', 'spec.dependsOn[]').maxLength, 50)
  })

  it('throws for a field that no CRD has, naming it', () => {
    assert.throws(() => crdField('Task', 'spec.titel'), /Task has no field spec\.titel/)
  })
})

/** A limit of a REST or runner schema; TypeBox keeps it as data and out of the type. */
function limit(schema: object, keyword: string): unknown {
  return Reflect.get(schema, keyword)
}
