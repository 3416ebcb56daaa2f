import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDemoRepository } from '../../cli/demo/repository.ts'

describe("the demo's repository", () => {
  let folder: string
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const make = () => makeDemoRepository(join(folder, 'shop'), join(folder, 'data', 'shop.git'))

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
    mkdirSync(join(folder, 'shop'))
    writeFileSync(join(folder, 'shop', 'README.md'), '# Hello\n')
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('holds the files of the shop as one commit on main', async () => {
    await make()
    assert.equal(git('--git-dir', 'data/shop.git', 'rev-list', '--count', 'main'), '1')
    assert.equal(git('--git-dir', 'data/shop.git', 'show', 'main:README.md'), '# Hello')
    assert.equal(git('--git-dir', 'data/shop.git', 'symbolic-ref', 'HEAD'), 'refs/heads/main')
  })

  it('is made by a start that follows one that was ended half way', async () => {
    for (const left of ['shop.git.files', 'shop.git.draft']) {
      mkdirSync(join(folder, 'data', left), { recursive: true })
      writeFileSync(join(folder, 'data', left, 'torn'), '')
    }
    await make()
    assert.equal(git('--git-dir', 'data/shop.git', 'ls-tree', '-r', '--name-only', 'main'), 'README.md')
  })

  it('stays as it is when the demo is started again', async () => {
    await make()
    git('--git-dir', 'data/shop.git', 'branch', 'slipway/demo-review', 'main')
    await make()
    assert.match(git('--git-dir', 'data/shop.git', 'branch'), /slipway\/demo-review/)
  })
})
