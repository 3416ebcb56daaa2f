import assert from 'node:assert/strict'
import {
  RED_WAY_OUT,
  checksMark,
  checkWords,
  protectedWords,
  redChecksWords,
  roundCommitsWords,
  roundsWords,
  roundWords,
  toReadCheck,
  waivedWords,
  withoutMoves,
} from '../../../core/sentences/checks.ts'

const green = { name: 'test', state: 'passed', required: true, seconds: 55 } as const
const red = { name: 'lint', state: 'failed', required: true, exit_code: 1, seconds: 12 } as const
const NOW = Date.parse('2026-11-27T10:00:40Z')

describe('what people read of checks', () => {
  it('is on the badge how many are green, and which are red', () => {
    assert.deepEqual(checksMark([green, { ...green, name: 'types' }]), { kind: 'green', words: '2 checks green' })
    assert.deepEqual(checksMark([green, red]), { kind: 'red', words: 'lint is red' })
    assert.equal(checksMark([red, { ...red, name: 'test', state: 'timed_out' }])?.words, 'lint, test are red')
  })

  it('is nothing where nothing was checked', () => {
    assert.equal(checksMark(undefined), undefined)
    assert.equal(checksMark([{ ...green, state: 'skipped' }]), undefined)
  })

  it('names a red one that holds nothing back beside the green ones, and is green all the same', () => {
    const words = '1 check green, lint is red (optional)'
    assert.deepEqual(checksMark([green, { ...red, required: false }]), { kind: 'green', words })
    assert.deepEqual(checksMark([{ ...red, required: false }]), { kind: 'red', words: 'lint is red (optional)' })
  })

  it('says of one that runs for how long, and how long it took the last time', () => {
    const running = { name: 'test', state: 'running', required: true, started_at: '2026-11-27T10:00:00Z' } as const
    assert.deepEqual(checksMark([running, red], NOW), { kind: 'running', words: 'check test, 40s' })
    assert.equal(checksMark([{ ...running, last_seconds: 55 }], NOW)?.words, 'check test, 40s, last time 55s')
    assert.equal(checkWords({ ...running, last_seconds: 55 }, NOW), 'Running: test, 40s, last time 55s')
  })

  it('says of one that has ended how, and for how long it ran', () => {
    assert.equal(checkWords(green), 'Green, 55s')
    assert.equal(checkWords({ ...red, required: false }), 'Red, exit code 1, 12s, optional')
    assert.equal(checkWords({ ...red, state: 'timed_out', seconds: 1800 }), 'Timed out, 30m00s')
  })

  it('says of what holds work back why it is red', () => {
    const stopped = toReadCheck({ name: 'e2e', state: 'TimedOut', seconds: 600 })
    const killed = toReadCheck({ name: 'load', state: 'Failed' })
    const told = toReadCheck({ name: 'types', state: 'Failed', exitCode: 2, reason: 'it left no verdict' })
    assert.equal(redChecksWords([red]), 'check lint is red: exit code 1')
    assert.equal(
      redChecksWords([stopped, killed, told]),
      '3 checks are red: e2e (stopped after 10m00s), load (was killed), types (it left no verdict)',
    )
  })

  it('says in which round an execution is, and for how long, once there is more than one', () => {
    const round_started_at = '2026-11-27T10:00:00Z'
    assert.equal(roundsWords({ round_started_at }, NOW), undefined)
    assert.equal(roundsWords({ rounds: 2, round_started_at }, NOW), 'round 2 for 40s')
    const ended = { rounds: 3, round_started_at, finished_at: '2026-11-27T10:00:12Z' }
    assert.equal(roundsWords(ended, NOW), '3 rounds, the last 12s')
    assert.equal(roundsWords({ rounds: 2 }, NOW), 'round 2')
  })

  it('names the commit that each round made, where there was more than one', () => {
    const first = { ...red, round: 1, commit: 'c0ffee12'.repeat(5) }
    const second = { ...green, round: 2, commit: 'beef1234'.repeat(5) }
    assert.equal(roundWords([second, first], 1), 'check lint is red: exit code 1 (commit c0ffee12c0ff)')
    assert.equal(roundCommitsWords([second, first]), 'c0ffee12c0ff in round 1, beef1234beef in round 2')
    assert.equal(roundCommitsWords([first, { ...first, name: 'test' }]), undefined)
    assert.equal(
      roundCommitsWords([
        { ...red, round: 1 },
        { ...green, round: 2 },
      ]),
      undefined,
    )
  })

  it('names who overruled them, and what the work changes of protected files', () => {
    assert.equal(waivedWords({ by: 'ada', reason: 'flaky' }), 'checks waived by ada: flaky')
    assert.equal(waivedWords({ reason: 'flaky' }), 'checks waived by a person: flaky')
    assert.equal(protectedWords({ count: 1 }), 'changes 1 protected file')
  })

  it('names each move of a way out for the command line and for kubectl, and none of them on a page', () => {
    const told = `check lint is red: it left no verdict (waive); ${RED_WAY_OUT}`
    for (const move of ['revise', 'resume', 'waive']) assert.ok(told.includes(`(${move})`), move)
    assert.equal(
      withoutMoves(told),
      'check lint is red: it left no verdict (waive); ask the agent for changes, check once more what was red by chance, or have it delivered as it is',
    )
    // A long reason leaves no room for all of it.
    assert.match(withoutMoves(told.slice(0, -10)), /ask the agent for changes, .* by chance, or have it delivered/)
  })
})
