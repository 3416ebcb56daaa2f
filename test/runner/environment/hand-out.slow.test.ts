import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Recipe } from '../../../core/environment/recipe.ts'
import { gitIn, makeRemote, type Remote } from '../../helpers/repository.ts'
import { findMountProblem, mountSmallDisk } from '../../helpers/small-disk.ts'
import { withoutRoot } from '../../helpers/without-root.ts'
import { makeFolder, removeFolder, type TestExecution } from '../execution.ts'
import {
  aPrepare,
  aRecipe,
  aTask,
  countIn,
  FOLDER,
  killWhen,
  mountedOf,
  readPrepared,
  readSeal,
  type Told,
} from './given.ts'

describe('the caches of an environment in the sandbox of a task', () => {
  let root = ''
  let remote: Remote
  let outside = ''
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: 'a' })
    outside = join(root, 'outside')
    mkdirSync(outside)
  })
  afterEach(() => removeFolder(root))

  const prepared = async (recipe: Recipe): Promise<Told> => {
    const prepare = aPrepare(root, remote, recipe)
    const end = await prepare.all()
    assert.equal(end.exitCode, 0, end.stderr)
    return { recipe, mounted: mountedOf(prepare) }
  }
  const inClone = (path: string, mode: 'Copy' | 'ReadOnly' = 'Copy'): Recipe =>
    aRecipe({ setup: `mkdir -p ${path} && echo cached > ${path}/file`, cache: [{ path, mode }] })
  const inHome = (mode: 'Copy' | 'ReadOnly' = 'Copy'): Recipe =>
    aRecipe({ setup: 'mkdir -p ~/.store/x && echo cached > ~/.store/x/file', cache: [{ path: '~/.store/x', mode }] })
  /** A commit of files and links that a test makes in a checkout. */
  const commit = (make: (work: string) => void): void => {
    const work = join(root, 'work')
    gitIn(root, 'clone', '--quiet', remote.path, work)
    make(work)
    gitIn(work, 'add', '--all', '--force')
    gitIn(work, 'commit', '--quiet', '--message', 'change')
    gitIn(work, 'push', '--quiet', 'origin', 'HEAD')
    removeFolder(work)
  }
  const homeOf = ({ clone }: TestExecution): string => join(dirname(clone), 'home')

  it('never lie behind a link of the repository', async () => {
    const told = await prepared(inClone('apps/web/node_modules'))
    commit((work) => symlinkSync(outside, join(work, 'apps')))
    const task = aTask(root, remote, 'git status --short', told)
    assert.equal((await task.all()).exitCode, 0)
    assert.deepEqual(readdirSync(outside), [])
    assert.equal(readlinkSync(join(task.clone, 'apps')), outside)
    assert.equal(
      readPrepared(task).environmentProblem,
      'cache apps/web/node_modules is left out: a link or a file stands in its way',
    )
  })

  it('give way to files that the repository tracks there, which are committed as ever', async () => {
    const told = await prepared(inClone('node_modules'))
    commit((work) => {
      mkdirSync(join(work, 'node_modules'))
      writeFileSync(join(work, 'node_modules/own'), 'own\n')
    })
    const task = aTask(root, remote, 'ls node_modules; echo more >> node_modules/own', told)
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'own\n')
    assert.match(
      readPrepared(task).environmentProblem ?? '',
      /^cache node_modules is left out: the repository tracks files there \(node_modules\/own\)/,
    )
    assert.equal(remote.git('show', 'slipway/demo:node_modules/own'), 'own\nmore')
  })

  it('are not committed, even where an agent changes them, unless it asks git to', async () => {
    const told = await prepared(inClone('node_modules'))
    const task = aTask(
      root,
      remote,
      'echo 1 > node_modules/new; echo 2 > node_modules/forced; git add -f node_modules/forced',
      told,
    )
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'node_modules/forced')
    assert.equal(task.result().undelivered, undefined)
  })

  it('never lie behind a link of an agent that had the home before; that is moved aside', async () => {
    const told = await prepared(inHome())
    const task = aTask(root, remote, 'cat ~/.store/x/file', told)
    mkdirSync(homeOf(task))
    symlinkSync(outside, join(homeOf(task), '.store'))
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'cached\n')
    assert.deepEqual(readdirSync(outside), [])
    assert.equal(readlinkSync(join(dirname(task.clone), 'aside.demo-1.0')), outside)
  })

  for (const [name, make] of [
    ['a link', (at: string) => symlinkSync('/etc', at)],
    ['a file', (at: string) => writeFileSync(at, '')],
    ['a folder of before', (at: string) => (mkdirSync(at), writeFileSync(join(at, 'old'), ''))],
  ] as const)
    it(`take the place of ${name} in a home`, async () => {
      const told = await prepared(inHome())
      const task = aTask(root, remote, 'ls ~/.store/x', told)
      mkdirSync(join(homeOf(task), '.store'), { recursive: true })
      make(join(homeOf(task), '.store/x'))
      assert.equal((await task.all()).exitCode, 0)
      assert.equal(task.read('agent/stdout.log'), 'file\n')
    })

  it('find their place where an agent took the right to write from its home', async () => {
    const told = await prepared(inHome())
    const task = aTask(root, remote, 'cat ~/.store/x/file', told)
    mkdirSync(join(homeOf(task), '.store'), { recursive: true })
    chmodSync(join(homeOf(task), '.store'), 0o000)
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'cached\n')
  })

  describe('that are mounted read-only', () => {
    for (const [name, recipe, placeOf] of [
      [
        'clone',
        inClone('apps/node_modules', 'ReadOnly'),
        (task: TestExecution) => join(task.clone, 'apps/node_modules'),
      ],
      ['home', inHome('ReadOnly'), (task: TestExecution) => join(homeOf(task), '.store/x')],
    ] as const)
      it(`get an empty folder to be mounted on in the ${name}, and git sees nothing of it`, async () => {
        const told = await prepared(recipe)
        const task = aTask(root, remote, 'git status --short', told)
        assert.equal((await task.all()).exitCode, 0)
        assert.deepEqual(readdirSync(placeOf(task)), [])
        assert.equal(task.read('agent/stdout.log'), '')
      })

    it('get it in the place of a link of the repository, and nobody commits that the link is gone', async () => {
      const told = await prepared(inClone('apps/node_modules', 'ReadOnly'))
      commit((work) => symlinkSync(outside, join(work, 'apps')))
      // The mount hides nothing else.
      const task = aTask(root, remote, 'echo x > apps/node_modules/x; echo new > new', told)
      assert.equal((await task.all()).exitCode, 0)
      assert.deepEqual(readdirSync(outside), [])
      assert.ok(lstatSync(join(task.clone, 'apps/node_modules')).isDirectory())
      assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'new')
    })

    it('hide what the repository tracks there, and nobody commits its removal', async () => {
      const told = await prepared(inClone('vendor', 'ReadOnly'))
      commit((work) => {
        mkdirSync(join(work, 'vendor'))
        writeFileSync(join(work, 'vendor/own'), 'own\n')
      })
      // As the mount does.
      const task = aTask(root, remote, 'rm -r vendor/own; echo cached > vendor/file; echo new > new', told)
      assert.equal((await task.all()).exitCode, 0)
      assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'new')
    })

    it('get it in a kept clone too, where a link of the agent is moved aside and no git runs', async () => {
      const told = await prepared(inClone('node_modules', 'ReadOnly'))
      const task = aTask(root, remote, 'rm -r node_modules; ln -s /etc node_modules', told)
      assert.equal((await task.all()).exitCode, 0)
      gitIn(task.clone, 'config', 'core.fsmonitor', `touch ${join(root, 'git-ran')}; false`)
      assert.equal((await task.step('prepare', { execution: 'demo-1', jobNumber: 2, keepClone: true })).exitCode, 0)
      assert.ok(lstatSync(join(task.clone, 'node_modules')).isDirectory())
      assert.equal(readlinkSync(join(dirname(task.clone), 'aside.demo-1.0')), '/etc')
      assert.ok(!existsSync(join(root, 'git-ran')))
    })

    it('never lie behind a link in a sandbox that its agent has taken the permissions of', async function () {
      const below = withoutRoot()
      if (below === undefined) this.skip()
      const told = await prepared(inClone('web/modules', 'ReadOnly'))
      const task = aTask(root, remote, `mv web old; ln -s ${outside} web; chmod 555 ..`, told)
      assert.equal((await task.all()).exitCode, 0)
      const child = task.start('prepare', { execution: 'demo-1', jobNumber: 2, keepClone: true }, below)
      const [exitCode] = (await once(child, 'close')) as [number | null]
      assert.equal(exitCode, 0)
      assert.ok(lstatSync(join(task.clone, 'web/modules')).isDirectory())
      assert.ok(!lstatSync(join(task.clone, 'web')).isSymbolicLink())
      assert.deepEqual(readdirSync(outside), [])
    })

    it('end the step where an agent has put a link in the place of the clone, since the Job mounts them anyway', async () => {
      const told = await prepared(inClone('node_modules', 'ReadOnly'))
      const task = aTask(root, remote, 'cd ..; mv repo gone; ln -s ' + outside + ' repo', told)
      await task.all()
      const end = await task.step('prepare', { jobNumber: 2, keepClone: true })
      assert.equal(end.exitCode, 1)
      assert.match(task.result().error?.message ?? '', /cache node_modules has no place: /)
      assert.deepEqual(readdirSync(outside), [])
    })
  })

  describe('whose seal is odd', () => {
    const change = (execution: Pick<TestExecution, 'volume'>, to: object): void => {
      const seal = { ...readSeal(execution), ...to }
      writeFileSync(join(execution.volume, FOLDER, 'seal.json'), JSON.stringify(seal))
    }

    for (const [name, to] of [
      ['leads out of the clone', { caches: [{ path: '../../../../outside/c', mode: 'Copy', relocated: [] }] }],
      ['leads into git', { caches: [{ path: '.git/hooks', mode: 'Copy', relocated: [] }] }],
      ['is of another environment', { digest: 'f'.repeat(64) }],
      ['names no place', { clone: '', home: '' }],
      ['has another form', { caches: 'none' }],
    ] as const)
      it(`because it ${name} are left out`, async () => {
        const told = await prepared(inClone('node_modules'))
        const task = aTask(root, remote, 'ls', told)
        change(task, to)
        assert.equal((await task.all()).exitCode, 0)
        assert.equal(task.read('agent/stdout.log'), 'a\n')
        assert.match(readPrepared(task).environmentProblem ?? '', /because what was prepared cannot be read/)
        assert.deepEqual(readdirSync(outside), [])
        const required = { ...told, recipe: { ...inClone('node_modules'), required: true } }
        const strict = aTask(root, remote, 'ls', required, { execution: 'demo-2' })
        assert.notEqual((await strict.step('prepare')).exitCode, 0)
      })

    it('name nothing new behind a link, or outside', async () => {
      const setup = `mkdir c; ln -s ${outside} c/out; echo "$PWD" > c/place`
      const told = await prepared(aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
      const task = aTask(root, remote, 'cat c/place', told)
      const seal = readSeal(task)
      for (const name of ['file', 'other']) writeFileSync(join(outside, name), seal.clone)
      const relocated = ['out/file', '../../../../../outside/other', 'none', 'place/none', '', '/', 'out']
      change(task, { caches: [{ path: 'c', mode: 'Copy', relocated: [...relocated, 'place'] }] })
      assert.equal((await task.all()).exitCode, 0)
      for (const name of ['file', 'other']) assert.equal(readFileSync(join(outside, name), 'utf8'), seal.clone)
      assert.equal(task.read('agent/stdout.log'), `${task.clone}\n`)
    })
  })

  it('are whole in the next Job, whenever prepare was killed', async () => {
    const setup = 'mkdir -p c ~/s; for n in $(seq 300); do echo "$PWD" > c/$n; echo "$PWD" > ~/s/$n; done'
    const cache = [
      { path: 'c', mode: 'Copy' as const },
      { path: '~/s', mode: 'Copy' as const },
    ]
    const told = await prepared(aRecipe({ setup, cache }))
    const task = aTask(root, remote, 'sort -u c/* ~/s/*; ls c ~/s | wc -l', told)
    const moments: readonly (() => boolean)[] = [
      () => existsSync(join(task.clone, '.git/info/exclude')),
      () => countIn(join(task.clone, 'c')) > 0,
      () => countIn(join(task.clone, 'c')) >= 300,
      () => countIn(join(homeOf(task), 's')) > 0,
      () => countIn(join(homeOf(task), 's')) >= 300,
    ]
    for (const isReached of moments) await killWhen(task, 'prepare', isReached)
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), `${task.clone}\n603\n`)
  })

  it('end the step on a full volume with words for people', async function () {
    const problem = findMountProblem('tmpfs', root)
    if (problem !== undefined) this.skip()
    const setup = 'mkdir c; head -c 3000000 /dev/zero > c/zero'
    const told = await prepared(aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
    const task = aTask(root, remote, 'true', told)
    const disk = mountSmallDisk('tmpfs', dirname(task.clone), '2M')
    try {
      assert.equal((await task.step('prepare')).exitCode, 1)
    } finally {
      disk.unmount()
    }
    assert.match(task.result().error?.message ?? '', /^no space is left on the data volume: make room on it/)
    assert.equal(task.result().error?.category, 'unavailable')
  })
})
