import assert from 'node:assert/strict'
import type { EvaluationRole } from '../../../core/crd/types.ts'
import { type Evaluator, chooseEvaluator, cannotEvaluateReason } from '../../../core/story/evaluators.ts'
import { anAgent, text } from '../../helpers/build.ts'
import { claude, gemini } from './evaluation-world.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const codex: Evaluator = { agent: anAgent({ name: 'codex', spec: { adapter: 'codex' } }) }

describe('the agent that evaluates', () => {
  const choose = (
    role: EvaluationRole,
    evaluators: readonly Evaluator[],
    workers: string[],
    evaluated: string[] = [],
  ) =>
    chooseEvaluator(role, evaluators, { workers: new Set(workers), evaluated: new Set(evaluated) }, NOW)?.metadata.name

  it('did not do the work, for the first opinion, while there is such a one', () => {
    assert.equal(choose('First', [claude, gemini], ['claude']), 'gemini')
    assert.equal(choose('First', [claude], ['claude']), 'claude')
  })

  it('is another one for the second opinion than for the first, rather than one that did not do the work', () => {
    assert.equal(choose('Second', [claude, gemini], ['claude'], ['gemini']), 'claude')
    assert.equal(choose('Second', [claude, codex, gemini], ['claude'], ['codex']), 'gemini')
    assert.equal(choose('Second', [gemini], ['claude'], ['gemini']), 'gemini')
  })

  it('has given no verdict, as the arbiter, while there is such a one', () => {
    assert.equal(choose('Arbiter', [claude, gemini], ['claude'], ['gemini']), 'claude')
    assert.equal(choose('Arbiter', [claude, codex, gemini], ['claude'], ['codex', 'gemini']), 'claude')
    assert.equal(choose('Arbiter', [gemini], ['claude'], ['gemini']), 'gemini')
  })

  it('is no script, none that is kept for who names it, none that cannot log in, is drained, limited or not installed', () => {
    const withStatus = (status: NonNullable<Evaluator['agent']['status']>): Evaluator => ({
      agent: { ...claude.agent, status },
    })
    const at = '2026-03-01T09:00:00Z'
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'CredentialsMissing',
      message: text('no key'),
      lastTransitionTime: at,
    } as const
    const cases: readonly (readonly [Evaluator, RegExp])[] = [
      [{ agent: anAgent() }, /scripts only/],
      [
        { agent: anAgent({ name: 'claude', spec: { adapter: 'claude', classifier: { enabled: false } } }) },
        /who names it/,
      ],
      [withStatus({ conditions: [ready] }), /no key/],
      [withStatus({ drained: { since: at } }), /drained/],
      [withStatus({ rateLimitedUntil: '2026-03-01T10:00:01Z' }), /limited until/],
      [{ ...claude, unavailable: 'claude is not installed' }, /not installed/],
    ]
    for (const [evaluator, why] of cases) {
      assert.match(cannotEvaluateReason(evaluator, NOW) ?? '', why)
      assert.equal(choose('First', [evaluator], []), undefined)
    }
    assert.equal(cannotEvaluateReason(withStatus({ rateLimitedUntil: '2026-03-01T10:00:00Z' }), NOW), undefined)
  })
})
