import assert from 'node:assert/strict'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { initBare } from '../../../lib/git-untrusted.ts'
import { findProtected } from '../../../runner/git/protected.ts'
import { makeFolder, removeFolder } from '../execution.ts'

const signal = new AbortController().signal

describe('protected paths', () => {
  let root = ''
  before(async () => {
    root = makeFolder()
    await initBare(join(root, 'r.git'), 'a'.repeat(40), signal)
  })
  after(() => removeFolder(root))

  const listOf = async (patterns: readonly string[], paths: readonly string[]): Promise<readonly string[]> => {
    const changes = paths.map((path) => ({ commit: '', path, modes: ['', ''] as const, objects: ['', ''] as const }))
    const found = await findProtected({ patterns, tmp: root }, { gitDir: join(root, 'r.git'), signal }, changes)
    assert.equal(found.protectedChanges?.count ?? 0, found.protectedChanges?.paths.length ?? 0)
    return found.protectedChanges?.paths ?? []
  }

  const CASES: readonly (readonly [patterns: readonly string[], paths: readonly string[], found: readonly string[]])[] =
    [
      [['test/'], ['test/a', 'src/test/b', 'test.ts'], ['src/test/b', 'test/a']],
      [['/test'], ['test/a/b', 'src/test/b'], ['test/a/b']],
      [['*.yaml', '!keep.yaml'], ['a/b.yaml', 'keep.yaml'], ['a/b.yaml']],
      [['**/__tests__/**'], ['a/__tests__/b/c', 'tests'], ['a/__tests__/b/c']],
      [['# a comment', ''], ['# a comment'], []],
      [[':odd'], [':odd', 'a/:odd'], [':odd', 'a/:odd']],
      [['*'], ['../up', 'a/.git/config', '-n', 'a b\n'], ['-n', '../up', 'a b\ufffd', 'a/.git/config']],
      [['['], ['['], []],
    ]
  for (const [patterns, paths, found] of CASES)
    it(`finds ${found.length} of ${JSON.stringify(paths)} for ${JSON.stringify(patterns)}`, async () => {
      assert.deepEqual(await listOf(patterns, paths), found)
    })

  it('finds every path that a pattern names, and none for a pattern of another folder', async () => {
    const name = fc.stringMatching(/^[a-z0-9:~ .-]{0,6}[a-z0-9]$/)
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
    await fc.assert(
      fc.asyncProperty(path, fc.uniqueArray(path, { maxLength: 5 }), async (named, others) => {
        const found = await listOf(
          [`/${named.replaceAll(/ +$/g, '')}`],
          [...new Set([named, `${named}/below`, ...others])],
        )
        assert.deepEqual(
          found,
          [
            ...new Set([named, `${named}/below`, ...others.filter((other) => `${other}/`.startsWith(`${named}/`))]),
          ].sort(),
        )
        assert.deepEqual(await listOf(['/elsewhere-at-all/'], [named, ...others]), [])
      }),
      { numRuns: 30 },
    )
  })
})
