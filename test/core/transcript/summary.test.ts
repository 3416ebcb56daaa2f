import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findChanges, parseShortstat, withoutChanges } from '../../../core/transcript/diffstat.ts'
import { findSummary } from '../../../core/transcript/summary.ts'

describe('the diff-summary line', () => {
  const CASES = [
    [' 3 files changed, 10 insertions(+), 2 deletions(-)', { files: 3, insertions: 10, deletions: 2 }],
    [' 1 file changed, 1 insertion(+)', { files: 1, insertions: 1, deletions: 0 }],
    ['1 file changed, 5 deletions(-)\r', { files: 1, insertions: 0, deletions: 5 }],
    [' 2 files changed', { files: 2, insertions: 0, deletions: 0 }],
    ['3 files changed, many insertions(+)', undefined],
    ['I said: 3 files changed, 1 insertion(+)', undefined],
    [' 3 files changed, 2 deletions(-), 1 insertion(+)', undefined],
    ['', undefined],
  ] as const
  for (const [line, expected] of CASES) {
    it(`${expected === undefined ? 'is not' : 'is'} ${JSON.stringify(line)}`, () =>
      assert.deepEqual(parseShortstat(line), expected))
  }

  it('that counts is the last one', () => {
    const output = 'x\n 1 file changed\ny\n 2 files changed, 1 insertion(+)\nz\n'
    assert.deepEqual(findChanges(output), { files: 2, insertions: 1, deletions: 0 })
    assert.equal(findChanges('nothing'), undefined)
  })

  it('is no part of the summary', () => {
    assert.equal(withoutChanges('Done.\n\n 2 files changed, 1 insertion(+)\n'), 'Done.')
    assert.equal(withoutChanges('a\n 1 file changed\r\nb'), 'a\nb')
    assert.equal(withoutChanges(' 1 file changed'), '')
    fc.assert(fc.property(fc.string(), (text) => withoutChanges(`x${text}`) === `x${text}`))
  })

  it('of any figures is read back', () => {
    const figure = fc.nat(999_999_999)
    fc.assert(
      fc.property(figure, figure, figure, (files, insertions, deletions) => {
        const line = ` ${files} files changed, ${insertions} insertions(+), ${deletions} deletions(-)`
        assert.deepEqual(findChanges(`before\n${line}\nafter`), { files, insertions, deletions })
      }),
    )
  })
})

describe('the summary of an output', () => {
  it('is the last section of that name, up to the next heading', () => {
    const output = '## Summary\nold\n## More\n# x\n## summary \r\nnew\n\n### part\nkept\n## End\nno'
    assert.equal(findSummary(output), 'new\n\n### part\nkept')
  })

  it('is absent without such a section, or with an empty one', () => {
    assert.equal(findSummary('Summary\nx ## Summary\n### Summary\n'), undefined)
    assert.equal(findSummary('## Summary\n\n## Next\n'), undefined)
  })

  it('is found after any text', () => {
    fc.assert(fc.property(fc.string(), (text) => findSummary(`${text}\n## Summary\nfound\n`) === 'found'))
  })
})
