import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared } from '../../../core/execution/prepared.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { type StepEnd, type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const KEY = '0123456789abcdef0123456789abcdef'

describe('a clone that borrows from the mirror of its repository', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
  })
  afterEach(() => removeFolder(root))

  const mirrors = (...below: string[]): string => join(root, 'volume', 'repositories', KEY, 'mirrors', ...below)
  const execution = (script = '', spec = {}): TestExecution =>
    makeExecution(root, remote, script, { mirror: KEY, ...spec })
  async function prepare(made = execution()): Promise<StepEnd & { readonly clone: string }> {
    const end = await made.step('prepare')
    assert.equal(end.exitCode, 0, end.stderr)
    return { ...end, clone: made.clone }
  }
  const prepared = (made: TestExecution): Prepared => JSON.parse(made.read('prepared.json')) as Prepared

  function fillRemote(): void {
    for (const branch of ['feature/x', 'other', 'slipway/demo'])
      remote.commit(branch, { [branch.replace('/', '-')]: 'x' })
    remote.git('tag', 'light', 'feature/x')
    remote.git('tag', '-a', '-m', 'a tag', 'v1.0', 'main~0')
    remote.commit('main', { 'a.txt': 'three\n' })
    remote.git('pack-refs', '--all')
  }

  /** All that an agent can ask its clone, with the folder's own name left out. */
  function look(clone: string): Record<string, string[]> {
    const asked = [
      ['config', '--local', '--list'],
      ['remote', '--verbose'],
      ['branch', '--all', '--verbose', '--verbose', '--no-abbrev'],
      ['symbolic-ref', 'refs/remotes/origin/HEAD'],
      ['for-each-ref'],
      ['status', '--branch', '--porcelain=v2'],
      ['describe', '--tags', '--always'],
      ['log', '--all', '--format=%H %P %D %s', '--stat'],
      ['reflog', 'show', '--all', '--format=%gD %H %gs'],
      ['fsck', '--full', '--no-dangling'],
      ['ls-files', '--stage'],
      ['rev-list', '--objects', '--all', '--count'],
    ]
    return Object.fromEntries(
      asked.map((args) => [
        args.join(' '),
        gitIn(clone, ...args)
          .split('\n')
          .toSorted(),
      ]),
    )
  }

  it('shows its agent what a clone with objects of its own shows', async () => {
    fillRemote()
    const { clone } = await prepare()
    const borrowed = look(clone)
    await prepare(execution('', { mirror: undefined }))
    assert.ok(!existsSync(join(clone, '.git/objects/info/alternates')))
    assert.deepEqual(borrowed, look(clone))
  })

  it('has no objects of its own, names its mirror by one relative line, and says where the seconds went', async () => {
    const made = execution()
    const { clone, stderr } = await prepare(made)
    assert.equal(
      readFileSync(join(clone, '.git/objects/info/alternates'), 'utf8'),
      `../../../../../repositories/${KEY}/mirrors/1/objects\n`,
    )
    assert.equal(
      gitIn(clone, 'count-objects', '-v')
        .match(/^(?:count|in-pack): \d+$/gm)
        ?.join(),
      'count: 0,in-pack: 0',
    )
    assert.match(stderr, /made mirror 1 of .*remote\.git \([\d.]+ s\)\n.*borrowing from mirror 1\n/)
    const { mirrorSeconds, cloneSeconds } = prepared(made)
    assert.ok(Number(mirrorSeconds) >= 0 && Number(cloneSeconds) >= 0, made.read('prepared.json'))
  })

  it('leaves nothing in the mirror that leads anywhere', async () => {
    await prepare()
    const config = gitIn(mirrors('1'), 'config', '--local', '--name-only', '--list').split('\n')
    assert.deepEqual(config, ['core.repositoryformatversion', 'core.filemode', 'core.bare'])
    assert.deepEqual(readdirSync(mirrors('1')).toSorted(), ['HEAD', 'config', 'objects', 'packed-refs', 'refs'])
    assert.ok(!existsSync(mirrors('1', 'objects/info/alternates')))
    assert.deepEqual(readdirSync(mirrors('..')).toSorted(), ['fetches', 'lock', 'mirrors'])
  })

  it("is made and borrowed from whatever the user's own git names a remote", async () => {
    writeFileSync(join(root, '.gitconfig'), '[clone]\n\tdefaultRemoteName = upstream\n')
    for (const mirror of [KEY, undefined]) {
      const { clone, stderr } = await prepare(execution('', { gitHome: root, mirror }))
      assert.equal(/borrowing from mirror 1\n/.test(stderr), mirror !== undefined, stderr)
      assert.equal(gitIn(clone, 'remote'), 'origin')
    }
  })

  it('has the branches and tags that the remote has now, and no others', async () => {
    fillRemote()
    await prepare()
    remote.git('update-ref', '-d', 'refs/heads/feature/x')
    remote.git('update-ref', '-d', 'refs/tags/light')
    remote.git('branch', 'feature', 'other')
    remote.git('tag', '-f', 'v1.0', 'other')
    remote.git('branch', '-f', 'main', 'main~1')
    remote.git('branch', 'trunk', 'other')
    remote.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
    const { clone, stderr } = await prepare()
    assert.match(stderr, /the mirror is up to date \(/)
    const borrowed = look(clone)
    await prepare(execution('', { mirror: undefined }))
    assert.deepEqual(borrowed, look(clone))
  })

  it('gets by the mirror what is new in the remote, in packs that are added to it', async () => {
    await prepare()
    const before = readdirSync(mirrors('1/objects/pack'))
    for (const content of ['2', '3']) remote.commit('main', { 'a.txt': content })
    const { clone, stderr } = await prepare()
    assert.match(stderr, /fetched 2 new commits into the mirror \(/)
    assert.equal(readFileSync(join(clone, 'a.txt'), 'utf8'), '3')
    const after = readdirSync(mirrors('1/objects/pack'))
    assert.deepEqual(
      before.filter((name) => !after.includes(name)),
      [],
    )
    assert.deepEqual([after.length > before.length, readdirSync(mirrors())], [true, ['1']])
    assert.deepEqual(readdirSync(mirrors('1/objects')).toSorted(), ['info', 'pack'])
  })

  it('is worked in, delivered and resumed as any other', async () => {
    const first = execution(
      'echo more >> a.txt; echo new > new.txt; git add new.txt; git -c user.name=A -c user.email=a@x commit -qm work',
    )
    const ends = [await first.step('prepare'), await first.step('agent')]
    remote.commit('main', { 'c.txt': 'by somebody else' })
    ends.push(await first.step('deliver'))
    assert.deepEqual(
      ends.map(({ exitCode }) => exitCode),
      [0, 0, 0],
      ends.map(({ stderr }) => stderr).join(''),
    )
    assert.doesNotMatch(ends.map(({ stderr }) => stderr).join(''), /error|warning|fatal/i)
    assert.deepEqual(first.result().changes, { files: 2, insertions: 2, deletions: 0 })
    assert.equal(remote.git('ls-tree', '--name-only', 'slipway/demo').replaceAll('\n', ' '), 'a.txt c.txt new.txt sub')
    const { push } = first.result()
    const second = execution('echo again > d.txt', {
      execution: 'demo-2',
      keepClone: true,
      pushes: [push],
      baseCommit: prepared(first).baseCommit,
    })
    const end = await second.all()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /^d\.txt\nnew\.txt$/m)
  })

  it('leaves the mirror as it was, whatever agent and deliver do', async () => {
    const made = execution('git gc --quiet; git repack -adq; echo x > x; git prune')
    await made.step('prepare')
    const list = (): string =>
      gitIn(mirrors('1'), 'count-objects', '-v') + readdirSync(mirrors('1'), { recursive: true }).join()
    const before = list()
    await made.step('agent')
    const { exitCode, stderr } = await made.step('deliver')
    assert.deepEqual([exitCode, list()], [0, before], stderr)
  })

  it('is made of a repository with SHA-256 as well', async () => {
    const folder = join(root, 'sha256')
    gitIn(root, 'init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', folder)
    gitIn(root, 'init', '--quiet', '--object-format=sha256', 'work')
    gitIn(join(root, 'work'), 'commit', '--quiet', '--allow-empty', '-m', 'first')
    gitIn(join(root, 'work'), 'push', '--quiet', folder, 'HEAD:main')
    for (const name of ['demo-1', 'demo-2']) {
      const end = await makeExecution(root, { path: folder }, 'echo 1 > a', { mirror: KEY, execution: name }).all()
      assert.equal(end.exitCode, 0, end.stderr)
    }
    assert.deepEqual(readdirSync(mirrors()), ['1'])
  })

  it('is not made anew for a file that no checkout can make, whatever its name', async () => {
    const file = `100644,${remote.git('rev-parse', 'main:a.txt')},corrupt/git~1`
    remote.git('-c', 'core.protectNTFS=false', 'update-index', '--add', '--cacheinfo', file)
    remote.git('update-ref', 'refs/heads/main', remote.git('commit-tree', '-m', 'odd', remote.git('write-tree')))
    const { exitCode, stderr } = await execution().step('prepare')
    assert.equal(exitCode, 1, stderr)
    assert.deepEqual(readdirSync(mirrors()), ['1'], stderr)
  })

  it('fails with the words of any other clone where the remote is empty or gone', async () => {
    for (const url of [makeRemote(join(root, 'empty')).path, join(root, 'nowhere')]) {
      const messages: unknown[] = []
      for (const borrowed of [{ mirror: KEY }, {}]) {
        const made = makeExecution(root, { path: url }, '', { ...borrowed, execution: `demo-${messages.length}` })
        assert.equal((await made.step('prepare')).exitCode, 1)
        messages.push(made.result().error)
      }
      assert.deepEqual(messages[0], messages[1])
    }
  })
})
