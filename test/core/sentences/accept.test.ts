import assert from 'node:assert/strict'
import { type OnAcceptWord, DELIVERY_WORDS, ON_ACCEPT } from '../../../core/enum-values.ts'
import { acceptEffect, storyAcceptEffect } from '../../../core/sentences/accept.ts'

describe('what accepting does', () => {
  const task = { branch: 'slipway/t' }
  const project = { default_branch: 'main' }
  const wordsOf = (of: Parameters<typeof acceptEffect>[0], on_accept: OnAcceptWord): string =>
    acceptEffect(of, { ...project, on_accept }).words

  it('is said by what the project does with accepted work', () => {
    assert.equal(acceptEffect(task, 'none').words, 'leaves the work on slipway/t; nothing is merged')
    assert.equal(acceptEffect(task, project).words, 'leaves the work on slipway/t; nothing is merged')
    assert.equal(wordsOf(task, 'merge'), 'merges slipway/t into main')
    assert.equal(wordsOf(task, 'pull_request'), 'opens a pull request of slipway/t to main')
    assert.equal(wordsOf({}, 'merge'), 'ends the task; it has no branch')
  })

  it('goes to the branch that the task itself is based on', () => {
    assert.equal(wordsOf({ ...task, base_branch: 'feature' }, 'merge'), 'merges slipway/t into feature')
    assert.equal(acceptEffect(task, { on_accept: 'merge' }).words, 'merges slipway/t into the default branch')
  })

  it('merges nothing of a story before the story is accepted, whatever its project does', () => {
    for (const on_accept of ON_ACCEPT)
      assert.equal(
        wordsOf({ branch: 'feat', story_id: 's' }, on_accept),
        'leaves the work on feat; nothing is merged before the story is accepted',
      )
    assert.equal(
      storyAcceptEffect({ branch_name: 'feat' }, { ...project, on_accept: 'merge' }).words,
      'closes the story and merges feat into main',
    )
  })

  it('delivers the work of a story by its task only where that could not be delivered with the story', () => {
    for (const state of Object.values(DELIVERY_WORDS)) {
      const delivery = { kind: 'merge' as const, state, files: [] }
      const isStuck = state === 'conflict' || state === 'failed' || state === 'moved'
      assert.equal(
        wordsOf({ branch: 'feat', story_id: 's', delivery }, 'merge'),
        isStuck ? 'merges feat into main' : 'leaves the work on feat; it went with the story',
        state,
      )
    }
  })

  it('names the commit where the branch has moved since the review', () => {
    const delivery = { kind: 'merge' as const, state: 'moved' as const, files: [], reviewed: '0123456789abcdef' }
    assert.equal(wordsOf({ ...task, delivery }, 'merge'), 'merges slipway/t into main, at commit 0123456789ab')
  })
})
