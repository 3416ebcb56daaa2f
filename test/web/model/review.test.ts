import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  type LineComment,
  canReview,
  lastReview,
  reviewHint,
  splitComments,
  toComment,
  withComment,
} from '../../../web/model/review.ts'
import { aTaskRecord } from '../records.ts'

const comment = (parts: Partial<LineComment> = {}): LineComment => ({
  file: 'src/a.ts',
  side: 'new',
  line: 12,
  text: 'No.',
  ...parts,
})

describe('the text of what is to be different', () => {
  it('names file and line of each comment, in their order, after what is said of the whole', () => {
    const comments = [
      comment({ line: 30, text: 'Later.' }),
      comment({ file: 'README.md', side: 'old', line: 2, text: 'Keep\nthis.' }),
      comment(),
    ]
    assert.equal(
      toComment(comments, ' Almost. '),
      'Almost.\n\nREADME.md:2 (old): Keep\n  this.\n\nsrc/a.ts:12: No.\n\nsrc/a.ts:30: Later.',
    )
  })

  it('is empty where nothing is said', () => {
    assert.equal(toComment([comment({ text: ' ' })], ' '), '')
  })
})

describe('comments', () => {
  it('on the work of another execution, or of none that is known, are lost to the next one', () => {
    const [before, now, old] = [comment({ execution: 't-1' }), comment({ execution: 't-2' }), comment()]
    assert.deepEqual(splitComments([before, now, old], 't-2'), { current: [now], lost: [before, old] })
    assert.deepEqual(splitComments([old], undefined).current, [])
  })

  it('are one per place; a text takes the place of the one before, and none removes it', () => {
    const one = withComment([], comment())
    const two = withComment(one, comment({ text: 'Yes.' }))
    assert.deepEqual(two, [comment({ text: 'Yes.' })])
    assert.deepEqual(withComment(two, comment({ text: '' })), [])
  })

  it('make the same text whatever the order in which they were written', () => {
    const any = fc.record({
      file: fc.constantFrom('a', 'b'),
      side: fc.constantFrom('old' as const, 'new' as const),
      line: fc.integer({ min: 1, max: 5 }),
      text: fc.constantFrom('x', 'y z'),
    })
    const distinct = fc.uniqueArray(any, { selector: ({ file, side, line }) => `${file}${side}${line}` })
    fc.assert(
      fc.property(distinct, (comments) => {
        const [one, other] = [comments, comments.toReversed()].map((order) =>
          order.reduce<readonly LineComment[]>(withComment, []),
        )
        assert.equal(toComment(one ?? []), toComment(other ?? []))
      }),
    )
  })
})

describe('what is said about work', () => {
  it('can be said where the task can be sent back, for changes or to be started over', () => {
    const can = (...actions: ('accept' | 'revise' | 'reject' | 'run' | 'resume')[]) =>
      canReview(aTaskRecord({ actions }))
    assert.deepEqual([can('accept', 'revise'), can('reject'), can('run', 'resume')], [true, true, false])
  })

  it('is the comment of the last decision about the work', () => {
    const at = '2026-03-01T10:00:00Z'
    const revise = { action: 'revise', at, comment: 'Say two.' } as const
    const reject = { action: 'reject', at, comment: 'cut' } as const
    const said = (...decisions: (typeof revise | typeof reject)[]) =>
      lastReview(aTaskRecord({ decisions, rejection_comment: 'whole' }))
    assert.deepEqual([said(reject, revise), said(revise, reject), said()], ['Say two.', 'whole', 'whole'])
    assert.equal(lastReview(aTaskRecord()), undefined)
  })
})

describe('what the ways to go on differ in', () => {
  it('is the session for an agent that reads, and the clone for a script, which reads nothing', () => {
    const ways = { mayRevise: true, mayStartOver: true }
    assert.match(reviewHint({ ...ways, isScript: false }), /^Changes are made in the same session\. .*a new session/)
    const words = reviewHint({ ...ways, isScript: true })
    assert.match(words, /^The script runs again in its clone; it does not read this\./)
    assert.doesNotMatch(words, /session/)
  })
})
