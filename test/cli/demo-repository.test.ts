import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDemoRepository } from '../../cli/demo/repository.ts'

describe("the demo's repository", () => {
  let folder: string
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
    mkdirSync(join(folder, 'source'))
    writeFileSync(join(folder, 'source', 'README.md'), '# Hello\n')
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function commitTwice(): void {
    git('init', '--quiet', '--initial-branch=topic', 'source')
    for (const message of ['one', 'two']) {
      writeFileSync(join(folder, 'source', message), message)
      git('-C', 'source', 'add', '.')
      git('-C', 'source', '-c', 'user.name=T', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', message)
    }
  }

  it('holds the history of a full checkout on main, whatever branch was checked out', async () => {
    commitTwice()
    await makeDemoRepository(join(folder, 'source'), join(folder, 'demo.git'))
    assert.equal(git('--git-dir', 'demo.git', 'log', '--format=%s', 'main'), 'two\none')
  })

  it('holds the files of a shallow checkout as one commit, with nothing missing', async () => {
    commitTwice()
    git('clone', '--quiet', '--depth=1', `file://${join(folder, 'source')}`, 'shallow')
    await makeDemoRepository(join(folder, 'shallow'), join(folder, 'demo.git'))
    assert.equal(git('--git-dir', 'demo.git', 'rev-list', '--count', 'main'), '1')
    assert.equal(git('--git-dir', 'demo.git', 'show', 'main:README.md'), '# Hello')
    git('--git-dir', 'demo.git', 'fsck', '--connectivity-only')
  })

  it('is made below the very folder it is made from', async () => {
    commitTwice()
    git('clone', '--quiet', '--depth=1', `file://${join(folder, 'source')}`, 'shallow')
    for (const source of ['source', 'shallow']) {
      await makeDemoRepository(join(folder, source), join(folder, source, 'data', 'demo.git'))
      assert.equal(git('--git-dir', join(source, 'data', 'demo.git'), 'show', 'main:README.md'), '# Hello')
    }
  })

  it('is made from a folder that is no checkout at all, without the data folder in it', async () => {
    mkdirSync(join(folder, 'source', 'data'))
    writeFileSync(join(folder, 'source', 'data', 'secret'), 'token')
    await makeDemoRepository(join(folder, 'source'), join(folder, 'source', 'data', 'demo.git'))
    assert.equal(git('--git-dir', 'source/data/demo.git', 'ls-tree', '-r', '--name-only', 'main'), 'README.md')
  })

  it('stays as it is when the demo is started again', async () => {
    commitTwice()
    await makeDemoRepository(join(folder, 'source'), join(folder, 'demo.git'))
    git('--git-dir', 'demo.git', 'branch', 'slipway/demo-1', 'main')
    await makeDemoRepository(join(folder, 'source'), join(folder, 'demo.git'))
    assert.match(git('--git-dir', 'demo.git', 'branch'), /slipway\/demo-1/)
  })
})
