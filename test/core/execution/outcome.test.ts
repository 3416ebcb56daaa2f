import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  type Ending,
  type ExecutionFacts,
  type PodFacts,
  type StepFacts,
  decideEnd,
} from '../../../core/execution/outcome.ts'
import { type AgentOutcome, type ExecutionResult, OUTCOMES } from '../../../core/execution/result.ts'

const base = {
  schemaVersion: 1,
  execution: 'task-a-1',
  jobNumber: 1,
  startedAt: '2026-03-01T10:00:00Z',
  finishedAt: '2026-03-01T10:01:00Z',
} as const

function aResult(parts: Partial<ExecutionResult> = {}): ExecutionResult {
  return { ...base, outcome: 'succeeded', step: 'deliver', pushed: true, ...parts }
}

function anOutcome(parts: Partial<AgentOutcome> = {}): AgentOutcome {
  return { ...base, outcome: 'succeeded', ...parts }
}

function pod(
  steps: Partial<Record<'prepare' | 'agent' | 'deliver', Partial<StepFacts>>>,
  parts: Partial<PodFacts> = {},
): PodFacts {
  const facts = (['prepare', 'agent', 'deliver'] as const).map((name): StepFacts => ({
    name,
    phase: 'waiting',
    ...steps[name],
  }))
  return { name: 'p', phase: 'Failed', steps: facts, ...parts }
}

function decide(facts: Partial<ExecutionFacts>): Ending {
  return decideEnd({ jobs: 1, agentStarted: false, authRetried: false, isCancelled: false, ...facts })
}

function stateAndCategory(facts: Partial<ExecutionFacts>): unknown[] {
  const ending = decide(facts)
  return ending.kind === 'ended' ? [ending.status.state, ending.status.error?.category] : [ending.kind]
}

const ended = (exitCode: number, reason = 'Error'): Partial<StepFacts> => ({ phase: 'ended', exitCode, reason })

describe('the end of an execution', () => {
  const table: [string, Partial<ExecutionFacts>, unknown[]][] = [
    ['a result of deliver', { result: aResult() }, ['COMPLETED', undefined]],
    [
      'a result of prepare, against everything else',
      {
        result: aResult({
          step: 'prepare',
          outcome: 'failed',
          pushed: false,
          error: { category: 'git', message: 'no' },
        }),
        outcome: anOutcome(),
        pod: pod({}, { phase: 'Succeeded' }),
      },
      ['FAILED', 'git'],
    ],
    ['a question', { result: aResult({ outcome: 'blocked', pushed: false }) }, ['BLOCKED', undefined]],
    ['a failure without a reason', { result: aResult({ outcome: 'failed', pushed: false }) }, ['FAILED', 'failed']],
    [
      'a termination message where the volume has nothing',
      {
        pod: pod({
          deliver: {
            ...ended(1),
            message: { outcome: 'failed', pushed: false, error: { category: 'git', message: 'x' } },
          },
        }),
      },
      ['FAILED', 'git'],
    ],
    [
      'an agent killed for memory',
      { pod: pod({ prepare: ended(0), agent: ended(137, 'OOMKilled') }) },
      ['FAILED', 'failed'],
    ],
    [
      'an agent step that died without a word',
      { pod: pod({ prepare: ended(0), agent: ended(1) }) },
      ['FAILED', 'failed'],
    ],
    [
      'a deliver that died without a word',
      { outcome: anOutcome(), pod: pod({ deliver: ended(1) }) },
      ['FAILED', 'git'],
    ],
    [
      'a Job of a round that found no room for a pod until its deadline',
      { jobs: 2, jobFailure: 'DeadlineExceeded', outcome: anOutcome() },
      ['nextJob'],
    ],
    ['a Job past its deadline', { jobFailure: 'DeadlineExceeded', pod: pod({}) }, ['TIMED_OUT', 'timeout']],
    ['a pod that vanished while the agent ran', { agentStarted: true }, ['FAILED', 'lost']],
    [
      'a pod evicted while the agent ran',
      { pod: pod({ agent: ended(137) }, { reason: 'Evicted' }) },
      ['FAILED', 'lost'],
    ],
    ['a pod stopped from outside', { result: aResult({ outcome: 'cancelled', pushed: false }) }, ['FAILED', 'lost']],
    ['a pod that vanished before the agent began', {}, ['nextJob']],
    ['a prepare that was not given what the operator wrote', { pod: pod({ prepare: ended(66) }) }, ['nextJob']],
    [
      'an agent step that was not given it, after one whose login was refused',
      { jobs: 2, outcome: anOutcome(), pod: pod({ prepare: ended(0), agent: ended(66) }) },
      ['nextJob'],
    ],
    ['the third that was not given it', { jobs: 3, pod: pod({ prepare: ended(66) }) }, ['FAILED', 'unavailable']],
    [
      'an agent step that ends so although its agent has run',
      { outcome: anOutcome(), pod: pod({ prepare: ended(0), agent: ended(66) }) },
      ['FAILED', 'failed'],
    ],
    ['a pod that vanished after the agent was done', { agentStarted: true, outcome: anOutcome() }, ['nextJob']],
    ['the third pod in a row that vanished', { jobs: 3 }, ['FAILED', 'lost']],
    ['a cancelled one without a result', { isCancelled: true, agentStarted: true }, ['CANCELLED', 'cancelled']],
    ['a cancelled one that had pushed', { isCancelled: true, result: aResult() }, ['COMPLETED', undefined]],
    [
      'a cancelled one that had not pushed',
      { isCancelled: true, result: aResult({ pushed: false }) },
      ['CANCELLED', 'cancelled'],
    ],
  ]
  for (const [title, facts, expected] of table) {
    it(`is ${expected.join(' ')} for ${title}`, () => assert.deepEqual(stateAndCategory(facts), expected))
  }

  const check = (name: string, parts: Partial<StepFacts>, required = true): StepFacts => ({
    name: 'check',
    phase: 'ended',
    startedAt: '2026-03-01T10:00:00Z',
    finishedAt: '2026-03-01T10:00:10Z',
    ...parts,
    check: { name, required, round: 1, ...parts.check },
  })
  const checked = (steps: StepFacts[], parts: Partial<PodFacts> = {}): PodFacts => ({
    ...pod({ prepare: ended(0), agent: ended(0) }),
    ...parts,
    steps: [...pod({ prepare: ended(0), agent: ended(0) }).steps, ...steps],
  })
  const round = { since: 1, uncounted: 0, restaged: 0, mayMend: true }
  const red = aResult({ outcome: 'failed', pushed: false, error: { category: 'checks', message: 'check test is red' } })
  const killed = check('test', { exitCode: 137, reason: 'OOMKilled' })
  const moved = pod({ prepare: ended(0), agent: ended(0), deliver: ended(68) })
  const ofChecks: typeof table = [
    ['red checks that the agent may mend', { result: red, round }, ['round']],
    ['red checks after the last round', { result: red, round: { ...round, mayMend: false } }, ['FAILED', 'checks']],
    ['red checks of a cancelled one', { result: red, round, isCancelled: true }, ['CANCELLED', 'cancelled']],
    ['a check that ran out of memory', { pod: checked([killed]), outcome: anOutcome(), round }, ['round']],
    ['one in the last round', { pod: checked([killed]), outcome: anOutcome() }, ['FAILED', 'checks']],
    [
      'a check that was killed and holds nothing back',
      { pod: checked([check('lint', { exitCode: 137 }, false)]), outcome: anOutcome(), round },
      ['nextJob'],
    ],
    [
      'one that was killed in the last Job',
      { jobs: 3, pod: checked([check('lint', { exitCode: 137 }, false)]), outcome: anOutcome() },
      ['nextJob'],
    ],
    [
      'a check whose pod was evicted',
      { pod: checked([killed], { reason: 'Evicted' }), outcome: anOutcome(), round },
      ['nextJob'],
    ],
    [
      'a check whose pod was deleted',
      { pod: checked([check('test', { exitCode: 143 })], { isDeleted: true }), outcome: anOutcome(), round },
      ['nextJob'],
    ],
    [
      'a check whose end nobody saw',
      { pod: checked([check('test', { exitCode: 137, reason: 'ContainerStatusUnknown' })]), outcome: anOutcome() },
      ['nextJob'],
    ],
    [
      'a check that was killed on a full volume',
      { pod: checked([killed]), outcome: anOutcome(), round, volumeProblem: 'it is full' },
      ['FAILED', 'unavailable'],
    ],
    [
      'a termination message that a check has written as if it were deliver',
      { pod: checked([check('test', { exitCode: 0, message: aResult() })]), jobs: 3, outcome: anOutcome() },
      ['FAILED', 'lost'],
    ],
    ['a branch that has moved', { pod: moved, outcome: anOutcome(), round }, ['restage']],
    [
      'one that moved four times',
      { pod: moved, outcome: anOutcome(), round: { ...round, restaged: 3 } },
      ['FAILED', 'git'],
    ],
    [
      'a fifth Job of the third round whose pod vanished before the agent began',
      { jobs: 5, outcome: anOutcome({ jobNumber: 2 }), round: { ...round, since: 3, uncounted: 3 } },
      ['nextJob'],
    ],
    [
      'a pod that vanished while the agent mended its work',
      { jobs: 2, agentStarted: true, outcome: anOutcome(), round: { ...round, since: 2, uncounted: 1 } },
      ['FAILED', 'lost'],
    ],
  ]
  for (const [title, facts, expected] of ofChecks) {
    it(`is ${expected.join(' ')} for ${title}`, () => assert.deepEqual(stateAndCategory(facts), expected))
  }

  it('names every red check, and what a person can do', () => {
    const steps = [
      check('unit', {
        exitCode: 0,
        check: { name: 'unit', required: true, round: 1, verdict: { state: 'Failed', exitCode: 2 } },
      }),
      killed,
    ]
    const ending = decide({ pod: checked(steps), outcome: anOutcome({ costUSD: 0.5 }) })
    assert.ok(ending.kind === 'ended')
    assert.match(
      ending.status.error?.message ?? '',
      /^2 checks are red: unit \(exit code 2\), test \(ran out of memory.*waive/,
    )
    assert.equal(ending.status.costUSD, 0.5)
  })

  it('is COMPLETED with checks only where each required one is green', () => {
    const states = fc.constantFrom('Passed', 'Failed', 'TimedOut', 'Skipped', 'Running')
    const verdict = fc.record({ name: fc.constant('test'), state: states, required: fc.boolean() })
    fc.assert(
      fc.property(fc.array(verdict), fc.boolean(), fc.boolean(), (checks, mayMend, pushed) => {
        const [state] = stateAndCategory({ result: aResult({ checks, pushed }), round: { ...round, mayMend } })
        const isGreen = checks.every((one) => !one.required || one.state === 'Passed' || one.state === 'Skipped')
        assert.equal(state === 'COMPLETED', isGreen)
      }),
    )
  })

  it('keeps what a cancelled agent told before it was stopped: a resume goes on in its session', () => {
    const ending = decide({ isCancelled: true, outcome: anOutcome({ outcome: 'cancelled', sessionId: 'abc' }) })
    assert.equal(ending.kind === 'ended' && ending.status.sessionId, 'abc')
  })

  it('tries a login once more, and only once', () => {
    const result = aResult({ outcome: 'failed', pushed: false, error: { category: 'auth', message: 'expired' } })
    const once = decide({ result })
    assert.ok(once.kind === 'nextJob' && once.withFreshCredentials)
    assert.deepEqual(stateAndCategory({ result, authRetried: true }), ['FAILED', 'auth'])
  })

  it('says of a lost pod why the node missed its container', () => {
    const agent = { ...ended(137, 'ContainerStatusUnknown'), lastWords: 'its folder was removed while it ran' }
    const ending = decide({ pod: pod({ prepare: ended(0), agent }) })
    assert.ok(ending.kind === 'ended')
    const { category, message } = ending.status.error ?? {}
    assert.deepEqual([category, message], ['lost', 'the pod was lost: step agent: its folder was removed while it ran'])
  })

  const unseen = { ...ended(137, 'ContainerStatusUnknown'), lastWords: 'it was killed, or the disk is full' }
  const words: [string, Partial<ExecutionFacts>, string][] = [
    [
      'an agent that ran out of memory',
      { pod: pod({ agent: ended(137, 'OOMKilled') }) },
      "step agent: raise the agent's",
    ],
    [
      'a stage that ran out of memory',
      { pod: checked([{ name: 'stage', phase: 'ended', ...ended(137, 'OOMKilled') }]), outcome: anOutcome() },
      'step stage: raise executionPods.resources.stage.limits.memory',
    ],
    [
      'a check whose end nobody saw',
      { jobs: 3, pod: checked([check('test', unseen)]), outcome: anOutcome() },
      'check test: it was killed, or the disk is full',
    ],
  ]
  for (const [title, facts, expected] of words)
    it(`names the step of ${title}, and its own cure`, () => {
      const ending = decide(facts)
      assert.ok(ending.kind === 'ended')
      assert.ok(ending.status.error?.message.includes(expected), ending.status.error?.message)
    })

  const lostMessage = (facts: Partial<ExecutionFacts>): string | undefined => {
    const ending = decide({ agentStarted: true, ...facts })
    return ending.kind === 'ended' ? ending.status.error?.message : ending.kind
  }
  const byApi = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }
  const stopped = { prepare: ended(0), agent: ended(0, 'Completed') }
  const losses: [string, Partial<ExecutionFacts>, string][] = [
    ['was evicted by the API', { pod: pod(stopped, byApi) }, 'EvictionByEvictionAPI: Eviction API: evicting'],
    [
      'was evicted by its node',
      { pod: pod({ agent: ended(137) }, { reason: 'Evicted', message: 'Too much on disk. ' }) },
      'Evicted: Too much on disk.',
    ],
    [
      'was evicted while it delivered',
      { result: aResult({ outcome: 'cancelled', pushed: false }), pod: pod({}, byApi) },
      'EvictionByEvictionAPI: Eviction API: evicting',
    ],
    ['was deleted', { outcome: anOutcome({ outcome: 'cancelled' }), pod: pod(stopped) }, 'it was stopped from outside'],
    ['is gone after a taint', { lastReason: 'DeletionByTaintManager' }, 'the pod is gone (DeletionByTaintManager)'],
    ['is gone', {}, 'the pod is gone'],
  ]
  for (const [title, facts, reason] of losses) {
    it(`names what ended a pod that ${title}`, () => assert.equal(lostMessage(facts), `the pod was lost: ${reason}`))
  }

  it('quotes the last lines of a step that died before it could write a result', () => {
    const lastWords = `${'x\n'.repeat(50)}bwrap: setting up uid map: Permission denied\n`
    const ending = decide({ pod: pod({ prepare: { ...ended(1), lastWords } }) })
    const message = (ending.kind === 'ended' && ending.status.error?.message) || ''
    assert.match(
      message,
      /^step prepare ended with exit code 1 and left no result; it last said:\n(x\n){9}bwrap: .* denied$/,
    )
  })

  it('keeps questions within what an object can hold, however many an agent writes', () => {
    const question = { text: 'y'.repeat(60_000), options: ['z'.repeat(4000)] }
    const result = aResult({ outcome: 'blocked', pushed: false, questions: Array.from({ length: 20 }, () => question) })
    const ending = decide({ result })
    assert.ok(ending.kind === 'ended' && ending.status.questions !== undefined)
    assert.equal(ending.status.questions.length, 20)
    assert.deepEqual(ending.status.questions[0], question)
    assert.ok(JSON.stringify(ending.status.questions).length < 200_000)
  })

  it('says that the disk is full where a step died without a word on a full volume, and holds it against no agent', () => {
    const volumeProblem =
      'no space is left on the data volume (/slipway has 8 KiB): make room on it, then run the task again'
    const ending = decide({ pod: pod({ prepare: ended(0), agent: ended(2) }), volumeProblem })
    assert.ok(ending.kind === 'ended')
    assert.deepEqual(ending.status.error, {
      category: 'unavailable',
      message: `step agent ended with exit code 2 and left no result: ${volumeProblem}`,
    })
  })

  it('says what an image of others may lack when the agent step died in it without a word', () => {
    const steps = { prepare: ended(0), agent: ended(1) }
    const message = (hasForeignImage: boolean): string => {
      const ending = decide({ pod: pod(steps, { hasForeignImage }) })
      return (ending.kind === 'ended' && ending.status.error?.message) || ''
    }
    assert.match(message(true), /left no result: its image may lack .*glibc/)
    assert.match(message(false), /left no result$/)
  })

  it('keeps what git says of the work', () => {
    const changes = { files: 1, insertions: 2, deletions: 3 }
    const ending = decide({ result: aResult({ changes, commits: ['abc'], branch: 'slipway/a', baseCommit: 'def' }) })
    assert.ok(ending.kind === 'ended')
    const { commits, branch, baseCommit, pushed } = ending.status
    assert.deepEqual(
      [ending.status.changes, commits, branch, baseCommit, pushed],
      [changes, ['abc'], 'slipway/a', 'def', true],
    )
  })

  it('leaves out what an agent forged and no API server would store', () => {
    const forged = {
      resumeAfter: 'tomorrow',
      exitCode: 2 ** 40,
      turns: 2 ** 31,
      tokens: { input: 2 ** 60, output: 1, cacheRead: 0, cacheWrite: 0 },
      costUSD: 1e308,
    }
    const ending = decide({ result: aResult(forged) })
    assert.ok(ending.kind === 'ended')
    const { resumeAfter, exitCode, turns, tokens, costUSD } = ending.status
    assert.deepEqual([resumeAfter, exitCode, turns, tokens, costUSD], Array(5).fill(undefined))
  })

  it('keeps as many names of conflicting files as an object has room for, however long they are', () => {
    const files = Array.from({ length: 200 }, (_, i) => `${i}/${'\u0001'.repeat(4000)}`)
    const rebase = { result: 'Conflict', onto: 'abc', files } as const
    const ending = decide({ result: aResult({ rebase, conflicts: files.slice(0, 100) }) })
    assert.ok(ending.kind === 'ended')
    assert.deepEqual(ending.status.rebase?.files, files.slice(0, 2))
    assert.ok(JSON.stringify(ending.status).length < 256 * 1024)
  })

  it('is COMPLETED only when deliver says so, whatever the agent claims', () => {
    const outcomes = fc.constantFrom(...OUTCOMES)
    fc.assert(
      fc.property(outcomes, fc.boolean(), fc.integer({ min: 1, max: 3 }), (outcome, agentStarted, jobs) => {
        const [state] = stateAndCategory({ outcome: anOutcome({ outcome }), agentStarted, jobs })
        assert.notEqual(state, 'COMPLETED')
      }),
    )
  })
})
