import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { personGit } from '../../../cli/checkout/person-git.ts'
import { choosePlace, makeWorkingCopy } from '../../../cli/checkout/working-copy.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'

describe('the working copy of a checkout', () => {
  let folder: string
  let home: string
  let remote: Remote
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-copy-'))
    home = join(folder, 'home')
    mkdirSync(home)
    remote = makeRemote(folder, { 'README.md': '# Sample\n' })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const options = () =>
    personGit({
      env: { ...process.env, HOME: home, GIT_CONFIG_GLOBAL: join(home, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' },
      signal: new AbortController().signal,
    })
  const work = (parts: object = {}) => ({
    task: 'one',
    url: remote.path,
    branch: 'slipway/one',
    isShared: false,
    isPushed: undefined,
    getBundle: (): Promise<ArrayBuffer> => Promise.reject(new Error('nothing is kept')),
    ...parts,
  })
  /** Puts a tree of one blob at such a path, as no git would, on the branch of the task. */
  const plant = (...path: readonly string[]): void => {
    const make = (args: readonly string[], input: string): string =>
      execFileSync('git', args, { cwd: remote.path, input, encoding: 'utf8' }).trim()
    const blob = make(['hash-object', '-w', '--stdin'], '#!/bin/sh\ntouch ran\n')
    const tree = path.reduceRight(
      ({ mode, kind, id }, name) => ({
        mode: '040000',
        kind: 'tree',
        id: make(['mktree'], `${mode} ${kind} ${id}\t${name}\n`),
      }),
      { mode: '100755', kind: 'blob', id: blob },
    )
    const commit = remote.git('commit-tree', '-p', 'main', '-m', 'evil', tree.id)
    remote.git('update-ref', 'refs/heads/slipway/one', commit)
  }

  for (const path of [
    ['.git', 'hooks', 'post-checkout'],
    ['.GIT', 'config'],
    ['git~1', 'config'],
    ['.g\u200cit', 'config'],
  ])
    it(`refuses a tree with paths of .git, and leaves nothing behind: ${JSON.stringify(path[0])}`, async () => {
      plant(...path)
      const target = join(folder, 'copy')
      await assert.rejects(makeWorkingCopy(options(), work(), { target }), { name: 'GitFailed' })
      assert.equal(existsSync(target), false)
    })

  it('runs no hook that the person has for all repositories, nor their template', async () => {
    const hooks = join(home, 'hooks')
    mkdirSync(hooks)
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${join(home, 'ran')}\n`, { mode: 0o755 })
    writeFileSync(join(home, 'gitconfig'), `[core]\n\thooksPath = ${hooks}\n[init]\n\ttemplateDir = ${home}\n`)
    remote.commit('slipway/one', { 'one.txt': 'one\n' })
    const target = join(folder, 'copy')
    await makeWorkingCopy(options(), work(), { target })
    assert.equal(readFileSync(join(target, 'one.txt'), 'utf8'), 'one\n')
    assert.deepEqual([existsSync(join(home, 'ran')), existsSync(join(target, '.git', 'hooks'))], [false, false])
  })

  it('writes no submodule and asks for none', async () => {
    const text = `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c "touch ${join(home, 'ran')}"\n`
    remote.commit('slipway/one', { '.gitmodules': text })
    writeFileSync(join(home, 'gitconfig'), '[submodule]\n\trecurse = true\n[protocol "ext"]\n\tallow = always\n')
    const target = join(folder, 'copy')
    await makeWorkingCopy(options(), work(), { target })
    assert.deepEqual(readdirSync(target).sort(), ['.git', '.gitmodules', 'README.md'])
    assert.equal(existsSync(join(home, 'ran')), false)
  })

  for (const url of ['ext::sh -c "touch ran"', '--upload-pack=touch ran'])
    it(`reaches no repository by ${url.slice(0, 5)}`, async () => {
      const target = join(folder, 'copy')
      await assert.rejects(makeWorkingCopy(options(), work({ url }), { target }), /nowhere to be had|failed|exit code/)
      assert.equal(existsSync(target), false)
    })

  it('is beside the clone in which the person is, and never in a folder with something in it', async () => {
    const clone = join(folder, 'shop')
    gitIn(folder, 'clone', '--quiet', remote.path, clone)
    const at = (cwd: string, named?: string) => choosePlace(options(), work(), { cwd, folder: named })
    assert.deepEqual(await at(clone), { base: clone, target: join(folder, 'shop-one') })
    assert.deepEqual(await at(home, clone), { base: clone, target: join(folder, 'shop-one') })
    assert.deepEqual(await at(home), { target: join(home, 'one') })
    assert.deepEqual(await at(clone, '../there'), { base: clone, target: join(folder, 'there') })
    mkdirSync(join(home, 'one', 'mine'), { recursive: true })
    await assert.rejects(at(home), { name: 'UsageError', message: /is there already: name another folder/ })
  })
})
