import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pullCommand } from '../../../cli/checkout/lfs.ts'
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

  it('has git and its helpers see what the person has set, but no other repository and no token of Slipway', () => {
    const env = {
      GH_TOKEN: 'for a helper',
      GIT_SSL_CAINFO: '/ca.pem',
      HTTPS_PROXY: 'http://proxy.example:3128',
      GIT_DIR: '/elsewhere',
      GIT_CONFIG_PARAMETERS: "'core.hooksPath=/elsewhere'",
      SLIPWAY_TOKEN: 'secret',
      LC_ALL: 'de_DE.UTF-8',
    }
    const { env: seen = {} } = personGit({ env, signal: new AbortController().signal })
    assert.deepEqual(
      Object.keys(env).filter((name) => seen[name] !== undefined),
      ['GH_TOKEN', 'GIT_SSL_CAINFO', 'HTTPS_PROXY'],
    )
    assert.equal(seen['https_proxy'], 'http://proxy.example:3128')
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

  describe('that cannot be made', () => {
    const failing = () =>
      work({ isPushed: false, getBundle: () => Promise.reject(new Error('no space left on device')) })
    let clone: string
    beforeEach(() => {
      clone = join(folder, 'shop')
      gitIn(folder, 'clone', '--quiet', remote.path, clone)
    })

    it('leaves no folder, worktree or branch of itself', async () => {
      remote.commit('slipway/one', { 'one.txt': 'one\n' })
      plant('.git', 'config')
      for (const [wanted, place] of [
        [failing(), { base: clone, target: join(folder, 'shop-one') }],
        [work(), { base: clone, target: join(folder, 'shop-one') }],
        [failing(), { target: join(folder, 'one') }],
      ] as const)
        await assert.rejects(makeWorkingCopy(options(), wanted, place))
      assert.deepEqual(readdirSync(folder).sort(), ['home', 'remote.git', 'shop'])
      assert.equal(gitIn(clone, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1)
      assert.equal(gitIn(clone, 'for-each-ref', '--format=%(refname)', 'refs/heads'), 'refs/heads/main')
    })

    it('leaves what came into its folder meanwhile', async () => {
      const target = join(folder, 'one')
      for (const theirs of ['.git', 'mine']) {
        mkdirSync(join(target, theirs), { recursive: true })
        await assert.rejects(makeWorkingCopy(options(), work(), { target }), /meanwhile: name another folder/)
        assert.deepEqual(readdirSync(target), [theirs])
        rmSync(target, { recursive: true })
      }
    })

    it('leaves nothing after Ctrl-C either', async () => {
      remote.commit('slipway/one', { 'one.txt': 'one\n' })
      const stop = new AbortController()
      const target = join(folder, 'one')
      const getBundle = (): Promise<ArrayBuffer> => {
        stop.abort()
        return Promise.resolve(new ArrayBuffer(0))
      }
      await assert.rejects(
        makeWorkingCopy({ ...options(), signal: stop.signal }, work({ isPushed: true, getBundle }), { target }),
      )
      assert.equal(existsSync(target), false)
    })

    it('after a kill is named by the next one, with the way to remove it', async () => {
      remote.commit('slipway/one', { 'one.txt': 'one\n' })
      for (const place of [{ target: join(folder, 'one') }, { base: clone, target: join(folder, 'shop-one') }]) {
        await makeWorkingCopy(options(), work(), place)
        const gitDir = gitIn(place.target, 'rev-parse', '--absolute-git-dir')
        renameSync(join(gitDir, 'slipway-checkout.json'), join(gitDir, 'slipway-checkout-unfinished'))
        truncateSync(join(gitDir, 'slipway-checkout-unfinished'))
        const again = choosePlace(options(), work(), { cwd: place.base ?? folder, folder: undefined })
        const removal = place.base === undefined ? 'rm -rf' : `git -C ${clone} worktree remove --force`
        await assert.rejects(again, {
          name: 'UsageError',
          message: new RegExp(`did not end: remove it, ${removal} ${place.target}, or name another folder`),
        })
      }
    })
  })

  it('that was finished is gone on with while the same person holds the task, and later no more', async () => {
    remote.commit('slipway/one', { 'one.txt': 'one\n' })
    await makeWorkingCopy(options(), work(), { target: join(folder, 'one') }, '2026-03-01T09:00:00Z')
    const at = async (heldAt?: string) =>
      (await choosePlace(options(), work(), { cwd: folder, folder: undefined, heldAt })).made?.task
    assert.equal(await at('2026-03-01T09:00:00Z'), 'one')
    for (const other of ['2026-03-01T10:00:00Z', undefined])
      await assert.rejects(at(other), { message: /is there already: name another folder/ })
  })

  it('says which content of Git LFS and which submodules are not in it, and how to have them', async () => {
    const text = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
    remote.commit('slipway/one', { '.gitattributes': '*.bin filter=lfs\n', 'a.bin': text, 'b.bin': text })
    const link = gitIn(remote.path, 'commit-tree', '-m', 'sub', 'main^{tree}')
    const clone = join(folder, 'author')
    gitIn(folder, 'clone', '--quiet', '--branch', 'slipway/one', remote.path, clone)
    gitIn(clone, 'update-index', '--add', '--cacheinfo', `160000,${link},sub`)
    gitIn(clone, 'commit', '--quiet', '--message', 'a submodule')
    gitIn(clone, 'push', '--quiet')
    assert.deepEqual(await makeWorkingCopy(options(), work(), { target: join(folder, 'one') }), [
      `2 files of Git LFS are pointers: git -c lfs.url=${remote.path} lfs pull fetches the content`,
      '1 submodule is an empty folder: look at .gitmodules, which the agent can have changed, then git submodule update --init',
    ])
    assert.equal(
      pullCommand('https://git.example/shop'),
      'git -c lfs.url=https://git.example/shop.git/info/lfs lfs pull',
    )
  })
})
