import assert from 'node:assert/strict'
import { storyStatus } from '../../../core/story/status.ts'
import { anAgent } from '../../helpers/build.ts'
import { type EvaluationWorld, claude, gemini, openEvaluation } from './evaluation-world.ts'

const FAILED = { kind: 'failed', message: 'it crashed', isLimit: false } as const

describe('the evaluation of a story', () => {
  let world: EvaluationWorld
  beforeEach(() => void (world = openEvaluation(['It builds.', 'It is fast.'])))
  const counts = () => {
    const { total, passed, failed, pending } = world.story.status?.evaluation ?? {}
    return { total, passed, failed, pending }
  }
  const kinds = () => world.events.map(({ spec }) => `${spec.kind} ${String(spec.payload?.['criterion'])}`)
  const runs = () =>
    (world.story.status?.evaluation?.runs ?? []).map(
      ({ role, agent, outcome }) => `${role} ${agent} ${outcome ?? 'open'}`,
    )
  const reason = () => world.look().claim?.reason

  it('asks an agent that did not do the work, and makes the story REVIEW_READY when every criterion passes', () => {
    assert.equal(world.look().asking?.agent.metadata.name, 'gemini')
    assert.deepEqual(
      [storyStatus(world.story), counts()],
      ['VALIDATING', { total: 2, passed: 0, failed: 0, pending: 2 }],
    )
    world.answers.set('First', ['pass', 'pass'])
    world.plan()
    assert.deepEqual(
      [storyStatus(world.story), counts()],
      ['REVIEW_READY', { total: 2, passed: 2, failed: 0, pending: 0 }],
    )
    assert.deepEqual(kinds(), ['eval_verdict It builds.', 'eval_verdict It is fast.'])
  })

  it('asks the agent that did the work when there is no other, and says so in the event', () => {
    world.evaluators = [claude]
    world.answers.set('First', ['pass', 'pass'])
    world.plan()
    assert.deepEqual(
      world.events.map(({ spec }) => [spec.by, spec.payload?.['did_the_work']]),
      [
        ['claude', true],
        ['claude', true],
      ],
    )
  })

  it('gives a criterion that fails twice no arbiter, and says what failed and what a person can do', () => {
    world.answers.set('First', ['pass', 'fail'])
    world.answers.set('Second', ['pass', 'fail'])
    const { claim } = world.plan()
    assert.deepEqual(runs(), ['First gemini Answered', 'Second claude Answered'])
    assert.deepEqual(
      [storyStatus(world.story), counts()],
      ['VALIDATING', { total: 2, passed: 1, failed: 1, pending: 0 }],
    )
    assert.equal(claim?.status, 'False')
    assert.match(claim.message, /1 of 2 criteria do not hold: “It is fast\.”; move the story to/)
  })

  it('lets an arbiter decide where the two differ, and asks nobody about the others again', () => {
    world.answers.set('First', ['pass', 'fail'])
    world.answers.set('Second', ['fail', 'pass'])
    world.answers.set('Arbiter', ['fail', 'pass'])
    world.plan()
    assert.equal(storyStatus(world.story), 'REVIEW_READY')
    assert.deepEqual(kinds(), [
      'eval_verdict It builds.',
      'eval_verdict It is fast.',
      'eval_verdict It is fast.',
      'arbitration_decided It is fast.',
    ])
    const { payload } = world.events.at(-1)?.spec ?? {}
    assert.deepEqual(payload, {
      criterion: 'It is fast.',
      verdicts: [
        { agent: 'gemini', verdict: 'fail', evidence: 'First saw fail' },
        { agent: 'claude', verdict: 'pass', evidence: 'Second saw pass' },
      ],
      decided: 'pass',
      by: 'gemini',
      reason: 'Arbiter saw pass',
      execution: 'evaluate-uidstorya-1-arbiter1',
      round: 1,
    })
  })

  it('lets the first verdict stand where arbitration is switched off', () => {
    world.switches = { arbitration: false }
    world.answers.set('First', ['pass', 'fail'])
    world.plan()
    assert.deepEqual([runs(), reason()], [['First gemini Answered'], 'CriteriaOpen'])
  })

  it('asks nobody where it is switched off', () => {
    world.switches = { enabled: false }
    assert.deepEqual([world.plan().claim?.reason, world.events.length, runs()], ['EvaluationOff', 0, []])
  })

  it('counts a criterion that the agent says nothing about as pending, and does not pass', () => {
    world.answers.set('First', ['pass'])
    assert.match(world.plan().claim?.message ?? '', /1 of 2 criteria have no verdict: “It is fast\.”/)
    assert.equal(world.events[1]?.spec.payload?.['verdict'], 'unknown')
  })

  it('tries a run that failed again, three times at most, with another agent while there is one', () => {
    world.answers.set('First', FAILED)
    assert.equal(world.plan().claim?.reason, 'EvaluationRetry')
    assert.deepEqual(runs(), ['First gemini Failed', 'First claude Failed'])
    world.later(120_000)
    const { claim } = world.plan()
    assert.deepEqual(runs(), ['First gemini Failed', 'First claude Failed', 'First gemini Failed'])
    assert.match(claim?.message ?? '', /^the evaluation failed 3 times, at last with: it crashed; move the story/)
    world.later(3_600_000)
    assert.equal(world.look().asking, undefined)
  })

  it('waits until the limit is over that a run ran into, as far as it is known', () => {
    world.evaluators = [gemini]
    world.answers.set('First', { ...FAILED, isLimit: true, resumeAfter: '2026-03-01T15:00:00Z' })
    assert.equal(world.plan().lookAgainAt?.toISOString(), '2026-03-01T15:00:00.000Z')
    world.later(5 * 3_600_000)
    world.answers.set('First', ['pass', 'pass'])
    world.plan()
    assert.equal(storyStatus(world.story), 'REVIEW_READY')
  })

  it('says that no agent can evaluate, why, and goes on as soon as one can', () => {
    const limited = anAgent({
      name: 'claude',
      spec: { adapter: 'claude' },
      status: { rateLimitedUntil: '2026-03-01T11:00:00Z' },
    })
    world.evaluators = [
      { agent: anAgent() },
      { ...gemini, unavailable: 'agent gemini: not installed' },
      { agent: limited },
    ]
    const { claim, lookAgainAt } = world.plan()
    assert.equal(claim?.reason, 'NoEvaluator')
    assert.match(
      claim.message,
      /agent script runs scripts only; agent gemini: not installed; agent claude is rate limited/,
    )
    assert.equal(lookAgainAt?.toISOString(), '2026-03-01T11:00:00.000Z')
    world.later(3_600_000)
    assert.equal(world.look().asking?.agent.metadata.name, 'claude')
  })

  it('begins a round each time the story is moved there, and counts no verdict of an earlier one', () => {
    world.answers.set('First', ['pass', 'unknown'])
    world.plan()
    world.later(1000)
    world.move('IN_PROGRESS')
    world.plan()
    assert.deepEqual(counts(), { total: 2, passed: 1, failed: 0, pending: 1 })
    world.later(1000)
    world.move('SHIPPABLE')
    world.move('VALIDATING')
    world.answers.clear()
    assert.equal(world.look().asking?.execution, 'evaluate-uidstorya-2-first1')
    assert.deepEqual(counts(), { total: 2, passed: 0, failed: 0, pending: 2 })
  })

  it('counts no verdict that a person gave in the last round, though the next one began in the same second', () => {
    world.say('It builds.', 'pass')
    world.later(200)
    world.move('IN_PROGRESS')
    world.move('SHIPPABLE')
    world.move('VALIDATING')
    world.answers.clear()
    world.look()
    assert.deepEqual(counts(), { total: 2, passed: 0, failed: 0, pending: 2 })
  })

  for (const from of ['IN_PROGRESS', 'DISCOVERY'] as const) {
    it(`asks nobody where the story was moved to VALIDATING from ${from}, and says why and what to do`, () => {
      world.move('SHIPPABLE')
      world.story = { ...world.story, status: { ...world.story.status, status: from } }
      world.move('VALIDATING')
      const { claim, asking } = world.plan()
      assert.deepEqual([claim?.reason, claim?.status, asking, runs()], ['NotEvaluated', 'False', undefined, []])
      assert.match(
        claim?.message ?? '',
        new RegExp(`came from ${from}; move it to IN_PROGRESS, SHIPPABLE and VALIDATING`),
      )
    })
  }

  it('asks nobody where the story began in VALIDATING', () => {
    world.story = { ...world.story, status: { status: 'VALIDATING' } }
    assert.match(world.plan().claim?.message ?? '', /this one began here/)
    assert.deepEqual(runs(), [])
  })

  it('goes on where a move of before moves said where from has begun a round', () => {
    const { movedFrom: _, ...status } = world.story.status ?? {}
    world.story = { ...world.story, status }
    assert.notEqual(world.look().asking, undefined)
  })

  it('asks again about a criterion that is added meanwhile, and about no other', () => {
    world.answers.set('First', ['pass', 'pass'])
    world.look()
    const { spec } = world.story
    const acceptanceCriteria = ['It builds.', 'It is fast.', 'It is new.']
    world.story = { ...world.story, spec: { ...spec, acceptanceCriteria } }
    const { asking, evaluation, claim } = world.look()
    assert.deepEqual(
      [asking?.standings.map(({ criterion }) => criterion.text), evaluation?.pending],
      [['It is new.'], 1],
    )
    assert.equal(claim?.message, 'agent gemini evaluates 1 criterion')
    world.answers.set('First', ['fail', 'fail', 'pass'])
    world.plan()
    assert.deepEqual([storyStatus(world.story), counts().passed], ['REVIEW_READY', 3])
    assert.equal(new Set(world.events.map(({ metadata }) => metadata.name)).size, 3)
  })

  it('asks no more than a record can hold, however often criteria are added', () => {
    world.answers.set('First', ['unknown'])
    for (let n = 0; n < 30; n++) {
      const { spec } = world.story
      world.story = { ...world.story, spec: { ...spec, acceptanceCriteria: [`${n}`] } }
      world.plan()
    }
    assert.deepEqual([runs().length, reason()], [20, 'CriteriaOpen'])
  })

  it('has no open run any more once the story left VALIDATING', () => {
    world.look()
    world.move('IN_PROGRESS')
    world.plan()
    assert.deepEqual(runs(), ['First gemini Cancelled'])
  })

  it('takes a person’s word before that of agents, and leaves what a person decided alone', () => {
    world.say('It is fast.', 'fail')
    world.answers.set('First', ['pass', 'pass'])
    world.plan()
    assert.deepEqual([kinds().length, counts().failed, storyStatus(world.story)], [2, 1, 'VALIDATING'])
    world.later(1000)
    world.say('It is fast.', 'passed')
    world.plan()
    assert.equal(storyStatus(world.story), 'REVIEW_READY')
  })

  it('judges what the validation calls a success where there are no criteria, and nothing where that is missing too', () => {
    world = openEvaluation([])
    assert.equal(reason(), 'NothingToEvaluate')
    const { spec } = world.story
    world.story = { ...world.story, spec: { ...spec, validation: { successCriteria: 'All tests pass.' } } }
    assert.deepEqual(
      world.look().asking?.standings.map(({ criterion }) => criterion.text),
      ['All tests pass.'],
    )
  })

  it('asks nobody while a task is unfinished, where there is no branch, or after a run was cancelled', () => {
    const { status } = world.story
    world.story = { ...world.story, status: { ...status, tasks: { total: 2, done: 1 } } }
    assert.equal(reason(), 'WorkUnfinished')
    world.story = { ...world.story, ...(status === undefined ? {} : { status }) }
    world.noBranch = 'the story names no project'
    assert.equal(reason(), 'NoBranch')
    world.noBranch = undefined
    world.answers.set('First', { kind: 'cancelled', message: 'Execution x was deleted' })
    assert.equal(world.plan().claim?.reason, 'EvaluationCancelled')
  })

  it('moves no verdict to another criterion when the list is edited while an agent looks', () => {
    const [built] = world.look().asking?.standings ?? []
    const verdicts = [{ criterion: built?.criterion.id ?? '', verdict: 'pass', evidence: 'it built' } as const]
    const { spec } = world.story
    world.story = { ...world.story, spec: { ...spec, acceptanceCriteria: ['It is new.', 'It builds.'] } }
    world.answers.set('First', { kind: 'answered', answer: { verdicts } })
    world.plan()
    assert.deepEqual(
      world.story.status?.evaluation?.verdicts?.map(({ criterion, verdict }) => [criterion, verdict]),
      [
        ['It is new.', 'pending'],
        ['It builds.', 'passed'],
      ],
    )
  })
})
