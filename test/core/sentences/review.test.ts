import assert from 'node:assert/strict'
import { bulkWords, describeReview, foreignWords, hiddenWords } from '../../../core/sentences/review.ts'

const commit = { commit: '0123456789abcdef', author: 'Eve', subject: 'a secret' }

describe('what a reviewer is told of commits', () => {
  it('is nothing where all are of Slipway, and the diff shows everything', () => {
    assert.deepEqual([foreignWords({}), hiddenWords({}), bulkWords({})], [undefined, undefined, undefined])
    assert.deepEqual(describeReview({ hidden_commits: [], bulk: [] }), [])
  })

  it('is on the badge how many are of others', () => {
    assert.equal(foreignWords({ foreign_commit_count: 1 }), '1 commit by others')
    assert.equal(foreignWords({ foreign_commits: [commit], foreign_commit_count: 1200 }), '1,200 commits by others')
  })

  it('names those of others with their authors, and counts those that no list has', () => {
    const [told] = describeReview({ foreign_commits: [commit], foreign_commit_count: 3 })
    assert.equal(told?.title, '3 commits by others')
    assert.match(told?.text ?? '', /The diff shows it, and accepting takes it too/)
    assert.deepEqual(told?.lines, ['0123456789ab Eve: a secret', 'and 2 more'])
    assert.deepEqual(describeReview({ foreign_commit_count: 2 })[0]?.lines, ['and 2 more'])
  })

  it('names those whose changes the diff does not show, with one of their files', () => {
    const [told] = describeReview({ hidden_commits: [{ ...commit, path: '.env' }, commit] })
    assert.equal(told?.title, 'Not in the diff')
    assert.equal(hiddenWords({ hidden_commits: [commit] }), '1 commit with changes that the diff does not show')
    assert.deepEqual(told?.lines, ['0123456789ab Eve: a secret (.env)', '0123456789ab Eve: a secret'])
  })

  it('says of work that was mended after a check why it has such commits, and names them all the same', () => {
    const mended = { hidden_commits: [commit], checks: [{ round: 2 }] }
    assert.equal(hiddenWords(mended), '1 commit corrected by a later one')
    const [told] = describeReview(mended)
    assert.match(told?.text ?? '', /as where the agent mends what its checks found:$/)
    assert.equal(told?.lines.length, 1)
    assert.match(hiddenWords({ ...mended, checks: [{ round: 1 }] }) ?? '', /does not show$/)
  })

  it('is what is added in large amounts, in a note and in a line', () => {
    const bulk = [
      { path: 'web/node_modules', files: 1200 },
      { path: 'model.bin', bytes: 52_428_800 },
    ]
    const lines = ['web/node_modules/ is a new folder with 1,200 files', 'model.bin has 50 MiB']
    const title = 'The work adds a lot to the repository'
    const text = 'Check whether it belongs there before you accept:'
    assert.deepEqual(describeReview({ bulk }), [{ title, text, lines }])
    assert.equal(bulkWords({ bulk }), `${title}: ${lines.join(', ')}`)
  })
})
