import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBorrowedFolders } from '../../lib/borrowed-folders.ts'
import { gitIn } from '../helpers/repository.ts'

describe('what a repository on this machine has elsewhere', () => {
  let root: string
  let main: string
  const at = (name: string): string => join(root, name)

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-borrowed-')))
    main = at('main')
    gitIn(root, 'init', '--quiet', '--initial-branch=main', 'main')
    gitIn(main, '-c', 'user.name=a', '-c', 'user.email=a@x', 'commit', '--quiet', '--allow-empty', '-m', 'start')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('is nothing for a repository of its own, bare or not, and for what is none', async () => {
    gitIn(root, 'clone', '--quiet', '--bare', 'main', 'bare.git')
    mkdirSync(at('empty'))
    for (const name of ['main', 'bare.git', 'empty', 'none'])
      assert.deepEqual(await findBorrowedFolders(at(name)), [], name)
  })

  it('is the repository of a linked worktree', async () => {
    gitIn(main, 'worktree', 'add', '--quiet', '-b', 'work', at('tree'))
    assert.deepEqual(await findBorrowedFolders(at('tree')), [join(main, '.git')])
  })

  it('is the store of each repository whose objects a clone borrows, also in turn', async () => {
    gitIn(root, 'clone', '--quiet', '--shared', 'main', 'one')
    gitIn(root, 'clone', '--quiet', '--shared', 'one', 'two')
    const stores = ['one', 'main'].map((name) => at(`${name}/.git/objects`))
    assert.deepEqual((await findBorrowedFolders(at('two'))).toSorted(), stores.toSorted())
    gitIn(at('one'), 'worktree', 'add', '--quiet', '-b', 'work', at('tree'))
    assert.deepEqual(await findBorrowedFolders(at('tree')), [at('one/.git'), at('main/.git/objects')])
  })

  it('is no folder that holds no objects, whatever the repository says', async () => {
    appendFileSync(join(main, '.git', 'objects', 'info', 'alternates'), `/\n${root}\n# x\n`)
    mkdirSync(at('fake'))
    writeFileSync(join(at('fake'), '.git'), `gitdir: ${root}\n`)
    assert.deepEqual([await findBorrowedFolders(main), await findBorrowedFolders(at('fake'))], [[], []])
  })
})
