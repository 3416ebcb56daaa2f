import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitIn } from './repository.ts'
import { makeWildRemote, writeFilter } from './wild-repository.ts'

describe('a repository as found in the wild', () => {
  let root = ''
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'slipway-wild-test-'))))
  afterEach(() => rmSync(root, { recursive: true }))

  it('has every oddity that was asked for, and no damage', () => {
    const remote = makeWildRemote(root, {
      branch: 'trunk',
      count: 501,
      hasFilter: true,
      hasSubmodule: true,
      hasLooseGitlink: true,
      hasUnicode: true,
      hasCaseClash: true,
      hasOrphan: true,
    })
    remote.git('fsck', '--strict')
    const entries = remote.git('ls-tree', '-r', '-z', 'trunk').split('\0')
    const names = entries.map((entry) => entry.slice(entry.indexOf('\t') + 1))
    for (const name of ['Readme', 'README', 'größe/漢字.txt', 'cafe\u0301', 'caf\u00e9', 'many/1/500', '.gitmodules'])
      assert.ok(names.includes(name), `${name} is missing`)
    assert.equal(entries.filter((entry) => entry.startsWith('160000 ')).length, 2)
    assert.equal(remote.git('branch', '--format=%(refname:short)'), 'feature/größe\norphan\ntrunk')
  })

  it('is empty where nothing is to be in it', () => {
    assert.equal(makeWildRemote(root, { isEmpty: true }).git('for-each-ref'), '')
  })

  it('has a filter that turns content into a pointer, and leaves a pointer alone', () => {
    const remote = makeWildRemote(root, { hasFilter: true })
    const clone = join(root, 'clone')
    gitIn(root, 'clone', '--quiet', remote.path, clone)
    for (const [name, value] of writeFilter(root)) gitIn(clone, 'config', name, value)
    assert.equal(gitIn(clone, 'status', '--short'), '')
  })
})
