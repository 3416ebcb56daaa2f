import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { toComment } from '../../../web/model/review.ts'
import { parseComments, printComments } from '../../../web/model/review-draft.ts'
import { splitSuggestions, toEdit, toSuggestion } from '../../../web/model/suggestion.ts'

const comment = { file: 'src/a.ts', side: 'new', line: 12 } as const

describe('a suggested change', () => {
  it('goes to the agent with file, line, what is there and what takes its place, word for word', () => {
    const text = 'Name it.\n```suggestion\n  const limit = 5\n\n```\nPlease.'
    assert.equal(
      toComment([{ ...comment, code: '  const x = 5', text }]),
      [
        'src/a.ts:12: Name it.',
        '  Replace this, line 12 of src/a.ts,',
        '  ```',
        '    const x = 5',
        '  ```',
        '  with exactly this:',
        '  ```',
        '    const limit = 5',
        '  ',
        '  ```',
        '  Please.',
      ].join('\n'),
    )
  })

  it('deletes the line where the block is empty', () => {
    assert.equal(toComment([{ ...comment, text: '```suggestion\n```' }]), 'src/a.ts:12: Delete line 12 of src/a.ts.')
  })

  it('is words where the block is not closed, and on a line that was deleted', () => {
    const open = '```suggestion\nx'
    assert.deepEqual(splitSuggestions(open), [{ kind: 'text', text: open }])
    const closed = '```suggestion\nx\n```'
    assert.match(toComment([{ ...comment, side: 'old', text: closed }]), /\(old\): ```suggestion/)
  })

  it('is found again as it was written, whatever the line has', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ \t`a-z]*$/), (line) => {
        assert.deepEqual(splitSuggestions(toSuggestion(line)), [{ kind: 'suggestion', lines: [line] }])
      }),
    )
  })

  it('is in a block that its lines do not end', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[`a-z]*$/), { minLength: 1, maxLength: 4 }), (lines) => {
        const [, fence = '', ...rest] = toEdit(comment, lines).split('\n')
        assert.deepEqual(rest, [...lines, fence])
        assert.ok(lines.every((line) => !line.startsWith(fence)))
      }),
    )
  })

  it('keeps what the line had in the draft', () => {
    const written = [{ ...comment, code: 'x', text: 'y' }]
    assert.deepEqual(parseComments(printComments(written)), written)
  })
})
