import assert from 'node:assert/strict'
import { describeForeign, describeHidden, foreignWords, hiddenWords } from '../../../core/review/words.ts'

const commit = { commit: '0123456789abcdef', author: 'Eve', subject: 'a secret' }

describe('what a reviewer is told of commits', () => {
  it('is nothing where all are of Slipway, and the diff shows everything', () => {
    assert.deepEqual([foreignWords({}), describeForeign({}), describeHidden({})], [undefined, undefined, undefined])
    assert.equal(describeHidden({ hidden_commits: [] }), undefined)
  })

  it('is on the badge how many are of others', () => {
    assert.equal(foreignWords({ foreign_commit_count: 1 }), '1 commit of others')
    assert.equal(foreignWords({ foreign_commits: [commit], foreign_commit_count: 1200 }), '1,200 commits of others')
  })

  it('names those of others with their authors, and counts those that no list has', () => {
    const told = describeForeign({ foreign_commits: [commit], foreign_commit_count: 3 })
    assert.equal(told?.title, '3 commits of others')
    assert.match(told.text, /The diff shows it, and accepting takes it too/)
    assert.deepEqual(told.commits, ['0123456789ab Eve: a secret', 'and 2 more'])
    assert.deepEqual(describeForeign({ foreign_commit_count: 2 })?.commits, ['and 2 more'])
  })

  it('names those whose changes the diff does not show, with one of their files', () => {
    const told = describeHidden({ hidden_commits: [{ ...commit, path: '.env' }, commit] })
    assert.equal(told?.title, 'Not in the diff')
    assert.equal(hiddenWords({ hidden_commits: [commit] }), '1 commit with changes that the diff does not show')
    assert.deepEqual(told.commits, ['0123456789ab Eve: a secret (.env)', '0123456789ab Eve: a secret'])
  })
})
