import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type ReadTokens, type Token, createTokensOf, languageOf } from '../../../web/components/diff/syntax.ts'
import { toParts } from '../../../web/components/diff/visible-text.ts'
import type { DiffFile, DiffLine, Hunk } from '../../../web/model/git-diff.ts'
import { runs } from '../../helpers/runs.ts'

type Parts = Partial<DiffFile>

function aFile(lines: readonly DiffLine[], parts: Parts = {}): DiffFile {
  const count = (side: 'old' | 'new'): number => lines.filter((line) => line[side] !== undefined).length
  const hunk: Hunk = { oldStart: 1, oldLines: count('old'), newStart: 1, newLines: count('new'), heading: '', lines }
  const none = { from: undefined, isBinary: false, modes: undefined, blobs: undefined, added: 0, deleted: 0 } as const
  return { ...none, path: 'src/a.ts', change: 'modified', hunks: [hunk], ...parts }
}

const added = (text: string, number: number): DiffLine => ({ kind: 'added', text, old: undefined, new: number })
const deleted = (text: string, number: number): DiffLine => ({ kind: 'deleted', text, old: number, new: undefined })
const shown = (line: DiffLine, file: DiffFile) =>
  createTokensOf(readTokens)(file, line).map(({ start, end, kind }) => [kind, line.text.slice(start, end)])

/** Words, numbers, texts, and comments that may go on over lines. */
const readTokens: ReadTokens = (_language, text) =>
  [...text.matchAll(/(\/\*[^]*?\*\/)|('[^']*')|(\d+)|const/g)].map(
    ({ 0: found, 1: comment, 2: string, 3: number, index }): Token => {
      const kind = comment ? 'comment' : string ? 'string' : number ? 'number' : 'keyword'
      return { start: index, end: index + found.length, kind }
    },
  )

describe('the colours of a diff', () => {
  it('are those of each side, also of what goes on over several lines', () => {
    const lines = [deleted("const a = 'x'", 1), added('/* one', 1), added('two */ const b = 5', 2)]
    const file = aFile(lines)
    assert.deepEqual(
      lines.map((line) => shown(line, file)),
      [
        [
          ['keyword', 'const'],
          ['string', "'x'"],
        ],
        [['comment', '/* one']],
        [
          ['comment', 'two */'],
          ['keyword', 'const'],
          ['number', '5'],
        ],
      ],
    )
  })

  it('are none of a file of no known language, and of very large hunks', () => {
    const line = added('const a = 1', 1)
    assert.deepEqual(shown(line, aFile([line], { path: 'a.unknown' })), [])
    const many = Array.from({ length: 2_001 }, (_, n) => added('const a = 1', n + 1))
    assert.deepEqual(shown(line, aFile(many)), [])
    assert.deepEqual(['Dockerfile', 'x/Makefile', 'a.TSX', 'ts'].map(languageOf), [
      'dockerfile',
      'makefile',
      'typescript',
      'typescript',
    ])
  })

  it('leave each character of a line as it was, and every unseen one named', () => {
    const piece = fc.constantFrom('const ', '1', '\u{1f600}', '\u202e', '\t', '\r', 'é', '<b>', '&')
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const lengths = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 9 })), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), lengths, (texts, steps) => {
        const tokens: Token[] = []
        let position = 0
        for (const [gap, length] of steps) {
          tokens.push({ start: position + gap, end: position + gap + length, kind: 'name' })
          position += gap + length
        }
        const lines = texts.map((text, n) => added(text, n + 1))
        const tokensOf = createTokensOf(() => tokens)
        const say = (parts: ReturnType<typeof toParts>): string =>
          parts
            .map((part) => (part.kind === 'text' ? part.text : part.kind === 'tab' ? '\t' : `<${part.name}>`))
            .join('')
        const file = aFile(lines)
        for (const one of lines)
          assert.equal(say(toParts(one.text, [], tokensOf(file, one))), say(toParts(one.text, [])))
      }),
      { numRuns: runs(200) },
    )
  })
})
