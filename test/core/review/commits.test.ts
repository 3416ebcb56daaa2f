import assert from 'node:assert/strict'
import { findBeforeOurs, findForeignCommits, reviewBase } from '../../../core/review/commits.ts'

/** Newest first; `m` is on the default branch. */
const LINE = new Map([
  ['d', ['c']],
  ['c', ['b']],
  ['b', ['a']],
  ['a', ['m']],
])

describe('the commits of a review', () => {
  const CASES = [
    ['are foreign where nothing was pushed by us', [], 'dcba'],
    ['are ours where a push of ours made the branch', [{ head: 'd' }], ''],
    ['are foreign as far as the push found them', [{ found: 'b', head: 'd' }], 'ba'],
    ['are foreign between two pushes of ours', [{ head: 'a' }, { found: 'b', head: 'd' }], 'b'],
    ['are foreign after the last push of ours', [{ head: 'c' }], 'd'],
    ['are not judged by a push that is not part of them', [{ found: 'x', head: 'y' }], 'dcba'],
    ['are ours where what was found is on the default branch', [{ found: 'm', head: 'd' }], ''],
  ] as const
  for (const [title, pushes, expected] of CASES) {
    it(title, () => assert.equal(findForeignCommits(LINE, pushes).join(''), expected))
  }

  it('of a merge count as ours on both sides where the push brought both', () => {
    const graph = new Map([
      ['merge', ['left', 'right']],
      ['left', ['m']],
      ['right', ['m']],
    ])
    assert.deepEqual(findForeignCommits(graph, [{ found: 'left', head: 'merge' }]), ['left'])
  })

  it('that a rewriting push replaces go back through our own pushes to what the first of them found', () => {
    assert.equal(findBeforeOurs([{ head: 'a' }, { found: 'a', head: 'b' }], 'b'), undefined)
    assert.equal(
      findBeforeOurs(
        [
          { found: 'x', head: 'a' },
          { found: 'a', head: 'b' },
        ],
        'b',
      ),
      'x',
    )
    assert.equal(findBeforeOurs([{ head: 'a' }, { found: 'theirs', head: 'b' }], 'b'), 'theirs')
    assert.equal(findBeforeOurs([], 'start'), 'start')
  })

  it('are compared with the merge base, but for a task of a story with what the branch held before it', () => {
    assert.deepEqual(reviewBase(false, 'first', 'tip'), { kind: 'mergeBase', tip: 'tip' })
    assert.deepEqual(reviewBase(true, 'first', 'tip'), { kind: 'commit', commit: 'first' })
  })
})
