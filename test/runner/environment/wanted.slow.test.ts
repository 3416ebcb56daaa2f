import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { digestEnvironment, digestRecipe } from '../../../lib/environment-digest.ts'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { aPrepare, aRecipe, aTask, mountedOf, readPrepared, readTold } from './given.ts'

/** As the runner tells an operator that it made no clone. */
const NOT_PREPARED = 67

describe('the environment that a commit wants', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('is told to the operator before anything is checked out, where it is not mounted', async () => {
    const remote = makeRemote(root, { lock: '1', 'sub/a': 'a' })
    const keys = ['lock', 'sub', 'sub/a', 'none']
    const recipe = aRecipe({ keys })
    const task = aTask(root, remote, 'true', { image: 'agent:1', recipe })
    const end = await task.step('prepare')
    assert.equal(end.exitCode, NOT_PREPARED, end.stderr)
    const commit = remote.git('rev-parse', 'main')
    const ids = ['main:lock', 'main:sub', 'main:sub/a'].map((name) => remote.git('rev-parse', name))
    const digest = digestEnvironment(
      digestRecipe(recipe, 'agent:1'),
      keys.map((path, at) => [path, ids[at] ?? null] as const),
    )
    assert.deepEqual(readTold(root), { environment: { digest, commit, isShared: true } })
    assert.ok(!existsSync(task.clone))
    assert.ok(!task.exists('result.json'))
  })

  it('is another one for a branch with another lock file, and that is not shared', async () => {
    const remote = makeRemote(root, { lock: '1' })
    const recipe = aRecipe({ keys: ['lock'] })
    const prepare = aPrepare(root, remote, recipe)
    assert.equal((await prepare.all()).exitCode, 0)
    remote.commit('slipway/demo', { lock: '2' })
    const task = aTask(root, remote, 'true', { recipe, mounted: mountedOf(prepare) })
    assert.equal((await task.step('prepare')).exitCode, NOT_PREPARED)
    const told = readTold(root)['environment']
    assert.notEqual((told as { digest: string }).digest, mountedOf(prepare).digest)
    assert.equal((told as { isShared: boolean }).isShared, false)
  })

  it('is the same for a branch at an older commit with the same key files, though not one that all tasks share', async () => {
    const remote = makeRemote(root, { lock: '1' })
    const recipe = aRecipe({ keys: ['lock'] })
    const prepare = aPrepare(root, remote, recipe)
    assert.equal((await prepare.all()).exitCode, 0)
    remote.git('branch', 'slipway/demo', 'main')
    remote.commit('main', { other: 'x' })
    const task = aTask(root, remote, 'true', { recipe, mounted: mountedOf(prepare) })
    assert.equal((await task.step('prepare')).exitCode, 0)
    assert.equal(readPrepared(task).environment?.isShared, false)
  })

  it('is prepared with secrets at no other commit, though there is a branch of the name that its Prepare has', async () => {
    const remote = makeRemote(root, { lock: '1' })
    remote.commit('prepare-0f3c', { lock: '2' })
    const secrets = { NPM_TOKEN: 'a-secret-value' }
    const recipe = aRecipe({ setup: 'mkdir node_modules' })
    const prepare = aPrepare(root, remote, recipe, { branch: 'prepare-0f3c', secrets })
    assert.equal((await prepare.step('prepare')).exitCode, 1)
    assert.match(
      prepare.result().error?.message ?? '',
      /is not the default branch's: no setup gets the project's secrets/,
    )
  })

  const checkouts: Readonly<Record<string, NonNullable<RunSpec['checkout']>>> = {
    'a shallow clone': { depth: 1 },
    'a clone without blobs': { filter: 'blob:none' },
    'a sparse checkout': { sparse: ['sub'] },
  }
  for (const [name, checkout] of Object.entries(checkouts))
    it(`is found in ${name}, with the file of the repository`, async () => {
      const remote = makeRemote(root, {
        lock: '1',
        'sub/lock': '1',
        '.slipway/environment.yaml': 'setup: mkdir c; echo c > c/c\ncache: [{ path: c }]\nkeys: [lock, sub/lock]\n',
      })
      remote.git('config', 'uploadpack.allowFilter', 'true')
      const prepare = aPrepare(root, remote, null, { checkout })
      const end = await prepare.all()
      assert.equal(end.exitCode, 0, end.stderr)
      assert.equal(prepare.result().sealed?.isShared, true)
      const task = aTask(root, remote, 'cat c/c', { mounted: mountedOf(prepare) }, { checkout })
      assert.equal((await task.all()).exitCode, 0)
      assert.equal(task.read('agent/stdout.log'), 'c\n')
    })

  it('is shared by commits of the branch that the project calls its default', async () => {
    const remote = makeRemote(root, { lock: '1' })
    remote.commit('develop', { lock: '2' })
    const recipe = aRecipe({ keys: ['lock'] })
    for (const [defaultBranch, isShared] of [
      ['develop', true],
      [undefined, false],
      ['none', false],
    ] as const) {
      const environment = { recipe, isOptional: true, ...(defaultBranch === undefined ? {} : { defaultBranch }) }
      const task = aTask(root, remote, 'true', environment, { baseBranch: 'develop' })
      assert.equal((await task.step('prepare')).exitCode, 0)
      assert.equal(readPrepared(task).environment?.isShared, isShared, String(defaultBranch))
    }
  })

  it('whose key is a link is done without, since a change of what it leads to would not be seen', async () => {
    const remote = makeRemote(root, { lock: '1' })
    remote.commit('main', { text: 'lock' })
    const link = `120000,${remote.git('rev-parse', 'main:text')},key`
    remote.git('read-tree', 'main')
    remote.git('update-index', '--add', '--cacheinfo', link)
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@localhost']
    const commit = remote.git(...who, 'commit-tree', remote.git('write-tree'), '-p', 'main', '-m', 'link')
    remote.git('update-ref', 'refs/heads/main', commit)
    const task = aTask(root, remote, 'ls', { recipe: aRecipe({ keys: ['key'] }) })
    assert.equal((await task.all()).exitCode, 0)
    assert.match(String(readTold(root)['environmentProblem']), /key key is a link: name the file that it leads to/)
  })

  it('whose setup has failed is done without, and the task says so', async () => {
    const remote = makeRemote(root, { lock: '1' })
    const recipe = aRecipe()
    const failed = [digestEnvironment(digestRecipe(recipe, ''), [])]
    const task = aTask(root, remote, 'ls', { recipe, failed, project: 'shop', failure: 'no such package' })
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(
      readTold(root)['environmentProblem'],
      'the agent starts without its environment, because its setup has failed: slipway env log shop shows why, slipway env build shop tries again; it said: no such package',
    )
  })

  it('whose setup has failed fails the task where it is required', async () => {
    const remote = makeRemote(root, { lock: '1' })
    const recipe = aRecipe({ required: true })
    const failed = [digestEnvironment(digestRecipe(recipe, ''), [])]
    const task = aTask(root, remote, 'ls', { recipe, failed })
    assert.equal((await task.step('prepare')).exitCode, 1)
    assert.deepEqual(task.result().error, {
      category: 'unavailable',
      message:
        'the agent must not start without its environment (required), and its setup has failed: slipway env log <project> shows why, slipway env build <project> tries again',
    })
  })

  it('is done without where the operator says that nobody waits', async () => {
    const remote = makeRemote(root, { lock: '1' })
    const task = aTask(root, remote, 'ls', { recipe: aRecipe(), isOptional: true })
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(readPrepared(task).environmentProblem, undefined)
    assert.match(readFileSync(join(task.clone, '.git/info/exclude'), 'utf8'), /^\/node_modules$/m)
  })

  it('is nothing where neither project nor repository says one; lock files are told for a proposal', async () => {
    const remote = makeRemote(root, { 'package-lock.json': '{}', 'sub/go.sum': '', 'README.md': '' })
    const task = aTask(root, remote, 'ls', {})
    assert.equal((await task.step('prepare')).exitCode, 0)
    assert.deepEqual(readTold(root), { lockFiles: ['package-lock.json'] })
    assert.equal(readPrepared(task).environment, undefined)
    assert.ok(!existsSync(join(task.clone, '.git/info/exclude')))
  })

  it('is not looked for where the operator says nothing of one', async () => {
    const remote = makeRemote(root, { '.slipway/environment.yaml': 'setup: a', 'package-lock.json': '{}' })
    const task = makeExecution(root, remote, 'ls')
    assert.equal((await task.step('prepare')).exitCode, 0)
    assert.deepEqual(readTold(root), {})
  })

  for (const [file, words] of [
    ['setup: [', /it is no YAML \(.* at line 1, column \d+\)$/],
    ['setup: a\nsecretKey: b', /must not have secretKey: everybody who may push could read the secret/],
    [`setup: "${'a'.repeat(70_000)}"`, /it has more than 64 KiB$/],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(/./g, (c) => `${c}: &${c} [${`*${String.fromCodePoint((c.codePointAt(0) ?? 0) - 1)},`.repeat(9)}]\n`)}`,
      /it is no YAML/,
    ],
  ] as const)
    it(`is done without where the file of the repository is broken: ${file.slice(0, 20)}`, async () => {
      const remote = makeRemote(root, { '.slipway/environment.yaml': file })
      const task = aTask(root, remote, 'ls', {})
      const end = await task.step('prepare')
      assert.equal(end.exitCode, 0, end.stderr)
      assert.match(readPrepared(task).environmentProblem ?? '', words)
    })

  it('fails the task where a broken file says readably that it is required', async () => {
    const remote = makeRemote(root, { '.slipway/environment.yaml': 'setup: a\nrequired: true\nfoo: 1' })
    const task = aTask(root, remote, 'ls', {})
    assert.equal((await task.step('prepare')).exitCode, 1)
    assert.match(task.result().error?.message ?? '', /environment\.yaml: the file must not have foo/)
  })

  it('is not read through a link', async () => {
    const remote = makeRemote(root, { a: 'a' })
    const work = join(root, 'work')
    gitIn(root, 'clone', '--quiet', remote.path, work)
    gitIn(work, 'config', 'core.symlinks', 'true')
    mkdirSync(join(work, '.slipway'))
    symlinkSync('/etc/passwd', join(work, '.slipway/environment.yaml'))
    gitIn(work, 'add', '.')
    gitIn(work, 'commit', '--quiet', '-m', 'link')
    gitIn(work, 'push', '--quiet', 'origin', 'HEAD')
    const task = aTask(root, remote, 'ls', {})
    assert.equal((await task.step('prepare')).exitCode, 0)
    assert.match(readPrepared(task).environmentProblem ?? '', /it is a link or a folder: put a file there$/)
  })

  for (const path of ['../../evil', '/etc', '.git/hooks', 'a/../../b'])
    it(`is refused where a cache of the project would be at ${path}`, async () => {
      const remote = makeRemote(root, { a: 'a' })
      const recipe = aRecipe({ cache: [{ path, mode: 'Copy' }] })
      const task = aTask(root, remote, 'ls', { recipe })
      assert.equal((await task.step('prepare')).exitCode, 0)
      assert.match(readPrepared(task).environmentProblem ?? '', /the environment of the project cannot be used: cache/)
      const prepare = aPrepare(root, remote, recipe)
      assert.equal((await prepare.step('prepare')).exitCode, 1)
    })

  it('cannot be prepared where nothing says how', async () => {
    const remote = makeRemote(root, { a: 'a' })
    const prepare = aPrepare(root, remote, null)
    assert.equal((await prepare.step('prepare')).exitCode, 1)
    assert.match(prepare.result().error?.message ?? '', /^there is nothing to prepare: the commit has no \.slipway/)
  })
})
