import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { EvaluationRun, StoryEvent } from '../../../core/crd/types.ts'
import { CRITERION_ID, criteriaOf } from '../../../core/story/criteria.ts'
import { OPINION_VERDICTS } from '../../../core/story/opinions.ts'
import { storyStatus } from '../../../core/story/status.ts'
import { type EvaluationWorld, type Played, openEvaluation } from './evaluation-world.ts'

const CRITERIA = ['It builds.', 'It is fast.', 'It is documented.']

const verdicts = fc.array(fc.constantFrom(...OPINION_VERDICTS), { maxLength: CRITERIA.length })
const failed = fc.boolean().map((isLimit) => ({ kind: 'failed', message: 'crashed', isLimit }) as const)
const played: fc.Arbitrary<Played> = fc.oneof(verdicts, verdicts, failed, fc.constant('open' as const))

/** What people, agents and time do to a story. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('play' as const), role: fc.constantFrom('First', 'Second', 'Arbiter'), played }),
  fc.record({
    kind: fc.constant('say' as const),
    criterion: fc.constantFrom(...CRITERIA, 'Nobody asked.'),
    verdict: fc.constantFrom('pass', 'fail', 'unknown', 'passed', 'nonsense'),
  }),
  fc.record({ kind: fc.constant('look' as const) }),
  fc.record({ kind: fc.constant('later' as const), ms: fc.integer({ min: 1000, max: 600_000 }) }),
  fc.record({ kind: fc.constant('again' as const), isFinished: fc.boolean() }),
  fc.record({ kind: fc.constant('edit' as const), criteria: fc.subarray(CRITERIA, { minLength: 1 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function take(world: EvaluationWorld, taken: Step): void {
  switch (taken.kind) {
    case 'play':
      return void world.answers.set(taken.role, taken.played)
    case 'say':
      return world.say(taken.criterion, taken.verdict)
    case 'look':
      return void world.look()
    case 'later':
      return world.later(taken.ms)
    case 'again':
      world.move('IN_PROGRESS')
      world.later(1000)
      if (taken.isFinished) world.move('SHIPPABLE')
      return world.move('VALIDATING')
    case 'edit': {
      const { spec } = world.story
      return void (world.story = { ...world.story, spec: { ...spec, acceptanceCriteria: taken.criteria } })
    }
    default:
      return taken satisfies never
  }
}

/** Counted anew, by the rules as docs/evaluation.md tells them, without the code that is tested. */
function recount(world: EvaluationWorld): Record<string, string> {
  const { round, startedAt = '' } = world.story.status?.evaluation ?? {}
  const counting = world.events
    .filter(({ spec }) =>
      typeof spec.payload?.['round'] === 'number' ? spec.payload['round'] === round : spec.at >= startedAt,
    )
    .toSorted((a, b) => (`${a.spec.at} ${a.metadata.name}` < `${b.spec.at} ${b.metadata.name}` ? -1 : 1))
  return Object.fromEntries(
    (world.story.spec.acceptanceCriteria ?? []).map((criterion) => {
      const told = counting.filter(({ spec }) => spec.payload?.['criterion'] === criterion)
      return [criterion, judge(told)]
    }),
  )
}

function assertPatience(runs: readonly EvaluationRun[]): void {
  assert.ok(runs.filter(({ outcome }) => outcome === 'Failed').length <= 3)
  const heard = runs.filter(({ outcome }) => outcome === 'Answered').flatMap(({ criteria = [] }) => criteria)
  assert.equal(new Set(heard).size, heard.length)
}

function judge(told: readonly StoryEvent[]): string {
  const words = { pass: 'passed', passed: 'passed', fail: 'failed', failed: 'failed', unknown: 'pending' }
  const known = (word: unknown): string | undefined => Object.entries(words).find(([key]) => key === word)?.[1]
  const said = (of: (event: StoryEvent) => unknown): string | undefined =>
    told.map((event) => known(of(event))).findLast(Boolean)
  const person = said(({ spec }) => (spec.payload?.['round'] === undefined ? spec.payload?.['verdict'] : undefined))
  const arbiter = said(({ spec }) => spec.payload?.['decided'])
  const [first, second] = ['first', 'second'].map((opinion) =>
    told
      .map(({ spec }) => (spec.payload?.['opinion'] === opinion ? spec.payload['verdict'] : undefined))
      .findLast(Boolean),
  )
  if (person !== undefined || arbiter !== undefined) return person ?? arbiter ?? ''
  if (first !== undefined && second !== undefined && first !== second) return 'pending'
  return known(second ?? first) ?? 'pending'
}

describe('an evaluation, whatever happens', () => {
  it('never makes a story REVIEW_READY with a criterion that has no pass, and counts as its events do', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = openEvaluation(CRITERIA)
        for (const taken of steps) {
          if (storyStatus(world.story) !== 'VALIDATING') break
          take(world, taken)
          world.look()
          const expected = Object.values(recount(world))
          const { passed = 0, failed: bad = 0, pending = 0, total = 0 } = world.story.status?.evaluation ?? {}
          const counted = (verdict: string): number => expected.filter((found) => found === verdict).length
          assert.deepEqual(
            [total, passed, bad, pending],
            [expected.length, counted('passed'), counted('failed'), counted('pending')],
          )
          if (storyStatus(world.story) === 'REVIEW_READY') assert.equal(passed, expected.length)
        }
      }),
    )
  })

  it('lets each role fail three times at most in a round, asks about nothing twice, and one run at a time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = openEvaluation(CRITERIA)
        for (const taken of steps) {
          take(world, taken)
          world.look()
          const { runs = [] } = world.story.status?.evaluation ?? {}
          assert.ok(runs.filter(({ outcome }) => outcome === undefined).length <= 1)
          for (const role of ['First', 'Second', 'Arbiter']) assertPatience(runs.filter((run) => run.role === role))
          assert.equal(new Set(runs.map(({ execution }) => execution)).size, runs.length)
        }
      }),
    )
  })

  it('asks only while the story is in VALIDATING and came from SHIPPABLE', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = openEvaluation(CRITERIA)
        for (const taken of steps) {
          take(world, taken)
          const { movedFrom } = world.story.status ?? {}
          const mayAsk = storyStatus(world.story) === 'VALIDATING' && movedFrom === 'SHIPPABLE'
          const { asking, events } = world.look()
          assert.ok(mayAsk || (asking === undefined && events.length === 0))
        }
      }),
    )
  })

  it('is the same plan when it is made twice from the same facts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const [one, two] = [openEvaluation(CRITERIA), openEvaluation(CRITERIA)]
        for (const taken of steps) {
          take(one, taken)
          take(two, taken)
        }
        assert.deepEqual(one.plan(), two.plan())
        assert.equal(one.look().events.length, 0)
      }),
    )
  })
})

describe('the ids of criteria', () => {
  it('are one for each different text, whatever the texts, and the same wherever a text stands', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 50 }), (texts) => {
        const criteria = criteriaOf({ title: 'x', acceptanceCriteria: [...texts, ...texts] })
        assert.deepEqual(
          criteria.map(({ text }) => text),
          texts,
        )
        assert.equal(new Set(criteria.map(({ id }) => id)).size, texts.length)
        assert.ok(criteria.every(({ id }) => new RegExp(CRITERION_ID).test(id)))
        const turned = criteriaOf({ title: 'x', acceptanceCriteria: texts.toReversed() })
        assert.deepEqual(turned.toReversed(), criteria)
      }),
    )
  })

  it('stay apart for two texts of the same hash', () => {
    // Found by searching: FNV-1a gives both the same 32 bits.
    const ids = criteriaOf({ title: 'x', acceptanceCriteria: ['costarring', 'liquid'] }).map(({ id }) => id)
    assert.equal(new Set(ids).size, 2)
  })
})
