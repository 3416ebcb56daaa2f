/** The parser against real git, on trees made by chance. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type GitDiff, parseInSteps } from '../../../web/model/git-diff.ts'
import { type Entry, apply, diffOf, linesOf, parseGitDiff, tree } from './git-trees.ts'
import { runs } from '../../helpers/runs.ts'

function modeOf({ isExecutable }: Entry): string {
  return isExecutable ? '100755' : '100644'
}

describe('the parser of diffs', () => {
  it('gives the hunks that make one tree of the other, whatever their names and texts', function () {
    fc.assert(
      fc.property(tree, tree, (before, now) => {
        const { files } = parseGitDiff(diffOf(before, now))
        const found = new Map(files.map((file) => [file.path, file]))
        assert.equal(found.size, files.length)
        const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
          (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
        )
        for (const [name, file] of found) {
          const [was, is] = [before[file.from ?? name], now[name]]
          assert.ok(was !== undefined || is !== undefined, `no file ${JSON.stringify(name)}`)
          assert.deepEqual(apply(was?.text ?? '', file), linesOf(is?.text ?? ''))
          if (was !== undefined && is !== undefined && file.change === 'modified')
            assert.deepEqual(file.modes, modeOf(was) === modeOf(is) ? undefined : [modeOf(was), modeOf(is)])
        }
        const told = files.flatMap(({ path, from, change }) => (change === 'renamed' ? [path, from] : [path]))
        assert.deepEqual(new Set(told), new Set(changed))
      }),
      { numRuns: runs(12) },
    )
  })

  it('reads what stands in front of a cut, at any place of a diff, and never throws', () => {
    const whole = diffOf(
      { a: { text: 'one\ntwo\n', isExecutable: false }, 'x b': { text: 'same', isExecutable: false } },
      { a: { text: 'one\n2\n', isExecutable: false }, 'x b': { text: 'same', isExecutable: true } },
    )
    for (let length = 0; length <= whole.length; length++) {
      const { files } = parseGitDiff(whole.slice(0, length))
      assert.ok(files.length <= 2)
    }
  })

  it('takes any text', () => {
    const piece = fc.constantFrom('diff --git ', '--- a/', '+++ ', '@@ -0,0 +1 @@', '"', '\\', '\n', 'x', '-', '+', ' ')
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const whole = parseGitDiff(text)
          assert.ok(whole.added >= 0)
        },
      ),
    )
  })

  it('says that the runner has cut the diff', () => {
    const { cut, files } = parseGitDiff(
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-o\n+n\n\n[cut after 67 bytes; the commits hold all of it]\n',
    )
    assert.equal(cut, 'cut after 67 bytes; the commits hold all of it')
    assert.equal(files[0]?.added, 1)
  })

  it('tells binary files, renames and changes of mode', () => {
    const { files } = parseGitDiff(SPECIAL)
    assert.deepEqual(
      files.map(({ path, from, change, isBinary, modes }) => ({ path, from, change, isBinary, modes })),
      [
        { path: 'pic x.png', from: undefined, change: 'modified', isBinary: true, modes: undefined },
        { path: 'run.sh', from: undefined, change: 'modified', isBinary: false, modes: ['100644', '100755'] },
        { path: 'new "n"', from: 'old n', change: 'renamed', isBinary: false, modes: undefined },
        { path: 'empty', from: undefined, change: 'added', isBinary: false, modes: undefined },
      ],
    )
  })

  it('can be done in parts with the same outcome', () => {
    const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2000 +1,2000 @@\n${'-o\n'.repeat(2000)}${'+n\n'.repeat(2000)}`
    const steps = parseInSteps(text)
    let count = 0
    let outcome: GitDiff | undefined
    for (; outcome === undefined; count++) {
      const step = steps.next()
      if (step.done === true) outcome = step.value
    }
    assert.ok(count > 2)
    assert.deepEqual(outcome, parseGitDiff(text))
  })
})

const SPECIAL = `diff --git a/pic x.png b/pic x.png
index 1..2 100644
Binary files a/pic x.png and b/pic x.png differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/old n" "b/new \\"n\\""
similarity index 100%
rename from old n
rename to "new \\"n\\""
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
`
