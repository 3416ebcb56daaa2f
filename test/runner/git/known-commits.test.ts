import assert from 'node:assert/strict'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { filterKnown, hasCommit } from '../../../runner/git/scratch-repository.ts'
import { gitIn } from '../../helpers/repository.ts'
import { makeFolder, removeFolder } from '../execution.ts'

describe('the commits that a repository has', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('are those that can be read, whatever is damaged, missing or no commit beside them', async () => {
    const gitDir = join(root, 'some.git')
    gitIn(root, 'init', '--quiet', '--bare', gitDir)
    const tree = gitIn(gitDir, 'write-tree')
    const commits = [1, 2, 3, 4].map((n) => gitIn(gitDir, 'commit-tree', '-m', `commit ${n}`, tree))
    const pathOf = (name: string) => join(gitDir, 'objects', name.slice(0, 2), name.slice(2))
    const whole = new Map(commits.map((commit) => [commit, readFileSync(pathOf(commit))]))
    const state = fc.constantFrom('whole', 'damaged', 'missing')
    const states = fc.tuple(state, state, state, state)
    await fc.assert(
      fc.asyncProperty(states, async (made) => {
        for (const [i, commit] of commits.entries()) {
          rmSync(pathOf(commit), { force: true })
          const content = whole.get(commit) ?? Buffer.alloc(0)
          if (made[i] === 'whole') writeFileSync(pathOf(commit), content)
          if (made[i] === 'damaged') writeFileSync(pathOf(commit), content.subarray(0, 20))
        }
        const known = await filterKnown({ gitDir }, [tree, ...commits, ...commits])
        assert.deepEqual(
          known,
          commits.filter((_, i) => made[i] === 'whole'),
        )
      }),
      { numRuns: 20 },
    )
  })

  it('do not include one whose content is cut off behind its header', async () => {
    const gitDir = join(root, 'some.git')
    gitIn(root, 'init', '--quiet', '--bare', gitDir)
    const commit = gitIn(gitDir, 'commit-tree', '-m', 'a'.repeat(100), gitIn(gitDir, 'write-tree'))
    assert.equal(await hasCommit({ gitDir }, commit), true)
    const path = join(gitDir, 'objects', commit.slice(0, 2), commit.slice(2))
    const content = readFileSync(path)
    chmodSync(path, 0o644)
    writeFileSync(path, content.subarray(0, content.length - 20))
    assert.equal(await hasCommit({ gitDir }, commit), false)
  })
})
