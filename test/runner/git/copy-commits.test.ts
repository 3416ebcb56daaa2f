import assert from 'node:assert/strict'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { initBare } from '../../../lib/git-untrusted.ts'
import { copyCommits } from '../../../runner/git/copy-objects.ts'
import { runs } from '../../helpers/runs.ts'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeFolder, removeFolder } from '../execution.ts'

describe('commits that are copied beside a mirror', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('are whole with what the mirror has, and nothing of that is copied', async () => {
    const remote = makeRemote(root, { a: 'a\n' })
    const commits = [remote.git('rev-parse', 'main')]
    for (const n of [1, 2, 3]) commits.push(remote.commit('main', { [`file-${n}`]: `${n}\n` }))
    const count = fc.integer({ min: 0, max: commits.length })
    let round = 0
    await fc.assert(
      fc.asyncProperty(count, fc.subarray(commits), async (mirrored, known) => {
        round += 1
        const has = commits.slice(0, mirrored)
        const mirror = join(root, `mirror-${round}.git`)
        gitIn(root, 'init', '--quiet', '--bare', mirror)
        const tip = has.at(-1)
        if (tip !== undefined) gitIn(mirror, 'fetch', '--quiet', remote.path, `${tip}:refs/heads/main`)
        const to = join(root, `to-${round}.git`)
        const signal = new AbortController().signal
        const head = commits.at(-1) ?? ''
        await initBare(to, head, signal, join(mirror, 'objects'))
        await copyCommits({ from: remote.path, to, name: 'commits', commits: [head], known }, signal)
        assert.equal(gitIn(to, 'rev-list', '--count', '--objects', head), String(3 * commits.length))
        const common = has.findLastIndex((commit) => known.includes(commit)) + 1
        const [, copied] = /^in-pack: (\d+)$/m.exec(gitIn(to, 'count-objects', '-v')) ?? []
        // Each commit brought a tree and a file with it.
        assert.equal(Number(copied), 3 * (commits.length - common))
      }),
      { numRuns: runs(10) },
    )
  })
})
