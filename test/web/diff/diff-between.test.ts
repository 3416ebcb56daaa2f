/** What changed between two attempts, against real git, on trees made by chance. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { compareStates, diffBetween } from '../../../web/model/diff-between.ts'
import type { GitDiff, Hunk } from '../../../web/model/git-diff.ts'
import { type Tree, apply, diffOf, linesOf, parseGitDiff, tree } from './git-trees.ts'
import { runs } from '../../helpers/runs.ts'

const ONE_BASE = { earlier: 'base', later: 'base' }
const MANY = 100_000

/** The diff of a file of which every eighth line is changed. @param onRead called when the place of a hunk is read */
function everyEighthLine(text: string, onRead: () => void): GitDiff {
  const hunks = Array.from({ length: MANY }, (_, n): Hunk => {
    const at = n * 8 + 1
    return {
      get oldStart() {
        onRead()
        return at
      },
      oldLines: 1,
      newStart: at,
      newLines: 1,
      heading: '',
      lines: [
        { kind: 'deleted', old: at, new: undefined, text: 'base' },
        { kind: 'added', old: undefined, new: at, text },
      ],
    }
  })
  const blobs = ['base', text] as const
  const change = { change: 'modified', from: undefined, isBinary: false, modes: undefined, blobs } as const
  const counts = { added: MANY, deleted: MANY }
  return { files: [{ path: 'large', ...change, ...counts, hunks }], ...counts, cut: undefined }
}

/** The texts of a tree, by line. */
function contents(files: Tree): Map<string, readonly string[]> {
  return new Map(Object.entries(files).map(([path, { text }]) => [path, linesOf(text)]))
}

const file = (text: string) => ({ text, isExecutable: false })
const numbers = (change: (n: number) => string): string => Array.from({ length: 60 }, (_, n) => change(n)).join('')

describe('the changes between two diffs of one base', () => {
  it('make the later tree of the earlier one', function () {
    fc.assert(
      fc.property(tree, tree, tree, (base, before, after) => {
        const [earlier, later] = [parseGitDiff(diffOf(base, before)), parseGitDiff(diffOf(base, after))]
        const { diff, unknown } = diffBetween(earlier, later)
        assert.deepEqual(unknown, [])
        const made = contents(before)
        for (const { from, path, change } of diff.files)
          if (change === 'deleted' || from !== undefined) made.delete(from ?? path)
        for (const changed of diff.files) {
          if (changed.change === 'deleted') continue
          const was = changed.change === 'added' ? '' : (before[changed.from ?? changed.path]?.text ?? '')
          made.set(changed.path, apply(was, changed))
        }
        assert.deepEqual(made, contents(after))
      }),
      { numRuns: runs(10) },
    )
  })

  it('are only the lines that differ, with three around them, and their numbers on both sides', () => {
    const base = { a: file(numbers((n) => `${n}\n`)) }
    const before = { a: file(numbers((n) => (n === 5 ? 'five\n' : n === 40 ? 'forty\nand more\n' : `${n}\n`))) }
    const after = { a: file(numbers((n) => (n === 5 ? 'five\n' : n === 41 ? 'x\n' : `${n}\n`))) }
    const { diff } = diffBetween(parseGitDiff(diffOf(base, before)), parseGitDiff(diffOf(base, after)))
    const [changed] = diff.files
    assert.deepEqual([diff.added, diff.deleted], [2, 3])
    assert.deepEqual(
      changed?.hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines]),
      [[38, 9, 38, 8]],
    )
  })

  it('are found with work in proportion to the hunks, so that a large file does not stop the page', () => {
    let reads = 0
    const onRead = (): void => {
      reads++
      // Sorting takes the most of them: about twice log2 of the hunks for each.
      if (reads > 200 * MANY) assert.fail('the hunks are walked again and again')
    }
    const { diff } = diffBetween(everyEighthLine('one', onRead), everyEighthLine('two', onRead))
    assert.deepEqual([diff.added, diff.deleted, diff.files[0]?.hunks.length], [MANY, MANY, MANY])
  })

  it('are none where both did the same', () => {
    const base = { a: file('a\n') }
    const made = parseGitDiff(diffOf(base, { a: file('b\n'), c: file('c\n') }))
    assert.deepEqual(diffBetween(made, made).diff.files, [])
  })

  it('are not told of a diff that is cut, and wait for both', () => {
    const diff = parseGitDiff(diffOf({ a: file('a\n') }, { a: file('b\n') }))
    const loaded = { kind: 'loaded', diff, address: '', sizeBytes: 1, isPartial: false } as const
    assert.deepEqual(compareStates({ kind: 'loading' }, loaded, ONE_BASE), { kind: 'loading' })
    const shown = compareStates({ ...loaded, isPartial: true }, loaded, ONE_BASE)
    assert.ok(shown.kind === 'loaded')
    assert.deepEqual(shown.diff, diff)
    assert.match(shown.note ?? '', /is cut/)
  })

  it('are not told of diffs of unknown bases: the whole of the later one is shown', () => {
    const diff = parseGitDiff(diffOf({ a: file('a\n') }, { a: file('b\n') }))
    const loaded = { kind: 'loaded', diff, address: '', sizeBytes: 1, isPartial: false } as const
    const before = { ...loaded, diff: parseGitDiff(diffOf({}, { b: file('b\n') })) }
    for (const [earlier, later] of [
      ['base', undefined],
      [undefined, 'base'],
      [undefined, undefined],
    ]) {
      const shown = compareStates(before, loaded, { earlier, later })
      assert.ok(shown.kind === 'loaded')
      assert.equal(shown.diff, diff)
      assert.match(shown.note ?? '', /one base/)
    }
    const compared = compareStates(before, loaded, ONE_BASE)
    assert.ok(compared.kind === 'loaded')
    assert.deepEqual(
      compared.diff.files.map(({ path }) => path),
      ['b', 'a'],
    )
  })

  it('are those of the work alone where it was rebased, and files that the new base changed are shown whole', () => {
    const load = (from: Tree, to: Tree) =>
      ({ kind: 'loaded', diff: parseGitDiff(diffOf(from, to)), address: '', sizeBytes: 1, isPartial: false }) as const
    const [base, rebased] = [
      { a: file('a\n'), b: file('b\n'), c: file('c\n') },
      { a: file('a\n'), b: file('B\n'), c: file('c\n'), d: file('of others\n') },
    ]
    const before = load(base, { ...base, a: file('x\n'), b: file('y\n'), c: file('z\n') })
    const after = load(rebased, { ...rebased, a: file('x\n'), b: file('Y\n'), c: file('Z\n') })
    const shown = compareStates(before, after, { earlier: 'one', later: 'two' })
    assert.ok(shown.kind === 'loaded')
    assert.match(shown.note ?? '', /rebased between.*shown as a whole: b\./)
    const changed = shown.diff.files.map(({ path, hunks }) => [
      path,
      hunks.flatMap(({ lines }) => lines.map(({ text }) => text)),
    ])
    assert.deepEqual(changed, [
      ['c', ['z', 'Z']],
      ['b', ['B', 'Y']],
    ])
  })

  it('cannot be told of a file that began from another version', () => {
    const before = parseGitDiff(diffOf({ a: file('a\n') }, { a: file('b\n') }))
    const after = parseGitDiff(diffOf({ a: file('A\n') }, { a: file('c\n') }))
    assert.deepEqual(diffBetween(before, after).unknown, ['a'])
  })
})
