/** What a diff shows: rows, whitespace, marks of words, unseen characters, tree. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type FileView, describe as describeFile, fileRows, foldedFrom } from '../../../web/components/diff/rows.ts'
import { createRowCache, headerAt } from '../../../web/components/diff/row-cache.ts'
import { inTreeOrder, treeRows } from '../../../web/components/diff/tree.ts'
import { toParts } from '../../../web/components/diff/visible-text.ts'
import { compareWords } from '../../../web/components/diff/words.ts'
import { withoutWhitespaceChanges } from '../../../web/components/diff/whitespace.ts'
import type { DiffFile } from '../../../web/model/git-diff.ts'
import { parseGitDiff } from './git-trees.ts'

function fileOf(lines: readonly string[], path = 'src/a.ts'): DiffFile {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length
  const header = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`
  const text = `${header}@@ -10,${count('-')} +10,${count('+')} @@ f()\n${lines.join('\n')}\n`
  const [file] = parseGitDiff(text).files
  assert.ok(file)
  return file
}

const view = (file: DiffFile, parts: Partial<FileView> = {}): FileView => ({
  file,
  index: 0,
  isFolded: false,
  isViewed: false,
  limit: 3_000,
  layout: 'unified',
  ignoresWhitespace: false,
  places: [],
  ...parts,
})

const LINES = [' a', '-b one', '-c', '+b two', ' d']

describe('rows of a diff', () => {
  it('has every line once, in both layouts, with keys that differ', () => {
    const change = fc.array(fc.constantFrom(' x', '-x', '+x', '-y z', '+y  z'), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(change, fc.constantFrom('unified' as const, 'split' as const), (lines, layout) => {
        const file = fileOf(lines)
        const rows = fileRows(view(file, { layout }))
        assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length)
        const shown = rows.flatMap((row) =>
          row.kind === 'line' ? [row.line] : row.kind === 'pair' ? [...new Set([row.left, row.right])] : [],
        )
        const wanted = file.hunks.flatMap((hunk) => hunk.lines)
        assert.deepEqual(new Set(shown.filter((line) => line !== undefined)), new Set(wanted))
      }),
    )
  })

  it('puts the lines of a change beside one another', () => {
    const rows = fileRows(view(fileOf(LINES), { layout: 'split' }))
    const pairs = rows.flatMap((row) => (row.kind === 'pair' ? [[row.left?.text, row.right?.text]] : []))
    assert.deepEqual(pairs, [
      ['a', 'a'],
      ['b one', 'b two'],
      ['c', undefined],
      ['d', 'd'],
    ])
  })

  it('puts a comment below its line, and one whose line is not shown below the header', () => {
    const places = [
      { file: 'src/a.ts', side: 'old' as const, line: 11 },
      { file: 'src/a.ts', side: 'new' as const, line: 400 },
    ]
    for (const layout of ['unified', 'split'] as const) {
      const rows = fileRows(view(fileOf(LINES), { places, layout }))
      const kinds = rows.map((row) => (row.kind === 'comment' ? `comment ${row.isLost}` : row.kind))
      assert.equal(kinds[1], 'comment true')
      assert.equal(kinds[5], 'comment false', layout)
    }
  })

  it('shows the beginning of a long file and says how much is left', () => {
    const rows = fileRows(view(fileOf(LINES), { limit: 2 }))
    assert.deepEqual(rows.at(-1)?.kind === 'more' && rows.at(-1), {
      key: '0.more',
      fileIndex: 0,
      kind: 'more',
      left: 3,
    })
  })

  it('folds what comes after very many lines', () => {
    const large = {
      ...fileOf(LINES),
      hunks: Array.from({ length: 800 }, () => fileOf(LINES).hunks[0]).flatMap((h) => h ?? []),
    }
    assert.equal(foldedFrom([fileOf(LINES)]), 1)
    assert.equal(foldedFrom(Array.from({ length: 50 }, () => large)), 19)
  })

  it('makes the rows of a file anew only when something about it changes', () => {
    const toRows = createRowCache()
    const [a, b] = [view(fileOf(LINES)), view(fileOf(LINES, 'b'), { index: 1 })]
    const first = toRows([a, b])
    const second = toRows([{ ...a }, { ...b, isFolded: true }])
    assert.equal(second.rows[1], first.rows[1])
    assert.deepEqual(second.headers, first.headers)
    assert.deepEqual(
      [0, 3, second.headers[1] ?? 0].map((row) => headerAt(second.headers, row)),
      [0, 0, 1],
    )
  })

  it('says in words what lines do not tell', () => {
    const plain = { ...fileOf(LINES), hunks: [] }
    assert.deepEqual(describeFile({ ...plain, change: 'renamed' }), ['Renamed without a change.'])
    assert.deepEqual(describeFile({ ...plain, isBinary: true }), ['A binary file: its content is not shown.'])
    assert.deepEqual(describeFile({ ...plain, modes: ['100644', '100755'] }), [
      'The mode changed from 100644 to 100755: now executable.',
    ])
  })
})

describe('whitespace', () => {
  it('leaves out changes of whitespace alone, and no others', () => {
    const [hunk] = withoutWhitespaceChanges(fileOf(['-a b', '-c', '+ab ', '+d', ' e']).hunks)
    assert.deepEqual(
      hunk?.lines.map(({ kind, text, old, new: now }) => [kind, text, old, now]),
      [
        ['context', 'ab ', 10, 10],
        ['deleted', 'c', 11, undefined],
        ['added', 'd', undefined, 11],
        ['context', 'e', 12, 12],
      ],
    )
    assert.deepEqual(withoutWhitespaceChanges(fileOf(['-a b', '+ab']).hunks), [])
  })

  it('keeps the order of numbers on both sides', () => {
    const change = fc.array(fc.constantFrom('-a', '+ a', '-b', '+b ', '+c', ' d'), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(change, (lines) => {
        for (const { lines: shown } of withoutWhitespaceChanges(fileOf(lines).hunks))
          for (const side of ['old', 'new'] as const) {
            const numbers = shown.map((line) => line[side]).filter((number) => number !== undefined)
            assert.deepEqual(
              numbers,
              Array.from({ length: numbers.length }, (_, i) => 10 + i),
            )
          }
      }),
    )
  })
})

describe('marks of words', () => {
  const marked = (text: string, ranges: readonly (readonly [number, number])[]): string[] =>
    ranges.map(([start, end]) => text.slice(start, end))

  it('are the words that differ', () => {
    const [before, after] = ['const net = sum(lines)', 'const net = reduce(lines, zero)']
    const changes = compareWords(before, after)
    assert.deepEqual([marked(before, changes.before), marked(after, changes.after)], [['sum'], ['reduce', ', zero']])
  })

  it('are left out where lines have little in common, or are very long', () => {
    assert.deepEqual(compareWords('import a', 'return 15 * x'), { before: [], after: [] })
    assert.deepEqual(compareWords('x'.repeat(5_000_000), 'y'), { before: [], after: [] })
  })

  it('leave the same text on both sides', () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', ' ', '(', 'é', '😀', 'cc'), { maxLength: 20 })
      .map((w) => w.join(''))
    const rest = (text: string, ranges: readonly (readonly [number, number])[]): string =>
      ranges.toReversed().reduce((left, [start, end]) => left.slice(0, start) + left.slice(end), text)
    fc.assert(
      fc.property(words, words, (before, after) => {
        const changes = compareWords(before, after)
        if (changes.before.length + changes.after.length === 0) return
        assert.equal(rest(before, changes.before), rest(after, changes.after))
      }),
    )
  })
})

describe('visible text', () => {
  it('names every character without a shape, and keeps all others', () => {
    const parts = toParts('a\tb\u202e\r😀\ud800', [])
    assert.deepEqual(
      parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'tab' ? 'TAB' : part.name)),
      ['a', 'TAB', 'b', 'U+202E', 'CR', '😀', 'U+D800'],
    )
  })

  it('marks what is to be marked', () => {
    assert.deepEqual(toParts('abc', [[1, 2]]), [
      { kind: 'text', text: 'a', isMarked: false },
      { kind: 'text', text: 'b', isMarked: true },
      { kind: 'text', text: 'c', isMarked: false },
    ])
  })
})

describe('the tree of files', () => {
  const files = ['src/a/b/x.ts', 'README.md', 'src/a/b/c.ts', 'test/y.ts'].map((path) => fileOf(LINES, path))
  const names = (filter: string, closed: readonly string[] = []): string[] =>
    treeRows(files, { filter, closed: new Set(closed) }).map(({ name, depth }) => `${depth} ${name}`)

  it('joins folders that hold only one folder', () => {
    assert.deepEqual(names(''), ['0 src/a/b', '1 c.ts', '1 x.ts', '0 test', '1 y.ts', '0 README.md'])
  })

  it('counts as people do: the second file before the tenth', () => {
    const numbered = [10, 2, 1].map((n) => fileOf(LINES, `step${n}.ts`))
    const rows = treeRows(numbered, { filter: '', closed: new Set() })
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['step1.ts', 'step2.ts', 'step10.ts'],
    )
  })

  it('closes folders and filters by path', () => {
    assert.deepEqual(names('', ['src/a/b']), ['0 src/a/b', '0 test', '1 y.ts', '0 README.md'])
    assert.deepEqual(names('B/X'), ['0 src/a/b', '1 x.ts'])
  })

  it('orders the view like the tree, with every file once', () => {
    assert.deepEqual(
      inTreeOrder(files).map(({ path }) => path),
      ['src/a/b/c.ts', 'src/a/b/x.ts', 'test/y.ts', 'README.md'],
    )
  })

  it('takes a path of a thousand folders', () => {
    const deep = fileOf(LINES, `${'d/'.repeat(5_000)}x`)
    assert.equal(inTreeOrder([deep]).length, 1)
  })
})
