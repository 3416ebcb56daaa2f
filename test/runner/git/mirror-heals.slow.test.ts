import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const KEY = '0123456789abcdef0123456789abcdef'

describe('a mirror', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { 'a.txt': 'one\n' })
    // So that packs are cut off in what is read.
    remote.commit('main', { 'b.txt': 'two\n' })
  })
  afterEach(() => removeFolder(root))

  const repository = (...below: string[]): string => join(root, 'volume', 'repositories', KEY, ...below)
  const place = (...below: string[]): string => repository('mirrors', ...below)
  const execution = (spec = {}, more = {}): TestExecution =>
    makeExecution(root, remote, 'echo x > new.txt', { mirror: KEY, ...spec }, more)
  const generations = (): string[] => readdirSync(place()).toSorted()

  async function requireGood(): Promise<string> {
    const made = execution()
    const { exitCode, stderr } = await made.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.equal(gitIn(made.clone, 'fsck', '--full'), '')
    assert.equal(gitIn(made.clone, 'rev-parse', 'HEAD'), remote.git('rev-parse', 'HEAD'))
    assert.equal(gitIn(made.clone, 'status', '--porcelain'), '')
    assert.ok(!existsSync(repository('making')))
    return stderr
  }

  function packs(ending: string): string[] {
    const folder = place('1/objects/pack')
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name))
  }
  function cut(path = '', size = 0): void {
    chmodSync(path, 0o644)
    truncateSync(path, size)
  }
  const another = /mirror 1 cannot be used \(.+\): another one takes its place\n.*made mirror 2 /
  const borrows = /borrowing from mirror 1\n/

  const damages: readonly (readonly [string, () => void, RegExp, readonly string[]])[] = [
    ['has been deleted', () => rmSync(place('1'), { recursive: true }), /made mirror 1 /, ['1']],
    [
      'has been deleted with the lock and all',
      () => rmSync(repository(), { recursive: true }),
      /made mirror 1 /,
      ['1'],
    ],
    [
      'is an empty folder',
      () => {
        rmSync(place('1'), { recursive: true })
        mkdirSync(place('1'))
      },
      another,
      ['1', '2'],
    ],
    [
      'is a file',
      () => {
        rmSync(place('1'), { recursive: true })
        writeFileSync(place('1'), '')
      },
      another,
      ['1', '2'],
    ],
    ['has no HEAD', () => rmSync(place('1/HEAD')), borrows, ['1']],
    ['has an empty HEAD', () => cut(place('1/HEAD')), borrows, ['1']],
    ['has a pack that is cut off', () => cut(packs('.pack')[0], 100), another, ['1', '2']],
    ['has an empty pack', () => cut(packs('.pack')[0]), another, ['1', '2']],
    ['has a pack whose index is cut off', () => cut(packs('.idx')[0], 1100), another, ['1', '2']],
    ['has an index without its pack', () => rmSync(packs('.pack')[0] ?? ''), another, ['1', '2']],
    ['has lost its packs', () => rmSync(place('1/objects/pack'), { recursive: true }), borrows, ['1']],
    ['has a pack whose index was never written', () => rmSync(packs('.idx')[0] ?? ''), borrows, ['1']],
    ['has torn branches', () => writeFileSync(place('1/packed-refs'), '\0\0\0\0'), borrows, ['1']],
    [
      'has an empty object',
      () => {
        mkdirSync(place('1/objects/aa'))
        writeFileSync(place('1/objects/aa', 'b'.repeat(38)), '')
      },
      another,
      ['1', '2'],
    ],
    ['borrows from elsewhere', () => writeFileSync(place('1/objects/info/alternates'), '/etc\n'), another, ['1', '2']],
    [
      'has locks of a killed git',
      () => ['HEAD.lock', 'packed-refs.lock', 'config.lock'].forEach((name) => writeFileSync(place('1', name), '')),
      borrows,
      ['1'],
    ],
    ['has an empty configuration', () => cut(place('1/config')), borrows, ['1']],
    ['has torn counters', () => writeFileSync(repository('fetches'), '\0\0\0'), borrows, ['1']],
    [
      'was half made',
      () => {
        mkdirSync(repository('making/objects'), { recursive: true })
        writeFileSync(repository('making/HEAD'), '')
      },
      borrows,
      ['1'],
    ],
    [
      'has another object format than the remote now',
      () => {
        rmSync(place('1'), { recursive: true })
        gitIn(root, 'init', '--quiet', '--bare', '--object-format=sha256', place('1'))
      },
      another,
      ['1', '2'],
    ],
  ]
  for (const [what, damage, said, left] of damages)
    it(`that ${what} heals by itself`, async () => {
      await requireGood()
      damage()
      assert.match(await requireGood(), said)
      assert.deepEqual(generations(), left)
      assert.match(await requireGood(), /the mirror is up to date .*\n.*borrowing from mirror/)
    })

  it('with an object that has another content is replaced as soon as a checkout meets it', async () => {
    await requireGood()
    const [pack = ''] = packs('.pack')
    const bytes = readFileSync(pack)
    chmodSync(pack, 0o644)
    const listed = gitIn(root, 'verify-pack', '-v', pack)
      .split('\n')
      .find((line) => line.includes(' blob '))
    const offset = Number(listed?.split(' ').at(-1))
    writeFileSync(pack, bytes.fill(0, offset + 3, offset + 6))
    assert.match(await requireGood(), /mirror 1 is damaged: another one takes its place\n.*made mirror 2 /)
    assert.match(await requireGood(), /borrowing from mirror 2/)
  })

  it('that cannot be written is done without', async () => {
    mkdirSync(repository(), { recursive: true })
    writeFileSync(place(), 'in the way')
    const stderr = await prepareOwn()
    assert.match(
      stderr,
      /there is no mirror to borrow from \(EEXIST.*\): the clone gets all its objects itself\n.*cloning /,
    )
  })

  it('is done without where flock is missing', async () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    for (const name of ['git', 'sh'])
      writeFileSync(join(bin, name), `#!/bin/sh\nPATH=/usr/bin:/bin exec ${name} "$@"\n`, { mode: 0o755 })
    assert.match(await prepareOwn({ PATH: bin }), /there is no mirror to borrow from \(flock is not installed: /)
  })

  async function prepareOwn(more = {}): Promise<string> {
    const made = execution({}, more)
    const { exitCode, stderr } = await made.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.ok(!existsSync(join(made.clone, '.git/objects/info/alternates')))
    assert.equal(gitIn(made.clone, 'status', '--porcelain'), '')
    return stderr
  }

  /** A git that does `then` in its shell before or after the first call whose arguments have `part`. */
  function gitThat(then: string, when: 'before' | 'after', part: string): Record<string, string> {
    const bin = join(root, `bin-${when}-${part.replaceAll(/\W/g, '')}`)
    mkdirSync(bin)
    const act = `[ -e ${bin}/done ] || { : > ${bin}/done; ${then}; }`
    const both = { before: `${act}; exec /usr/bin/git "$@"`, after: `/usr/bin/git "$@"; code=$?; ${act}; exit $code` }
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh\ncase " $* " in *" ${part} "*) ${both[when]};; esac\nexec /usr/bin/git "$@"\n`,
      { mode: 0o755 },
    )
    return { PATH: `${bin}:${process.env['PATH']}` }
  }

  for (const part of [
    '--bare',
    'pack-refs',
    'config',
    'rev-list',
    '--shared',
    'remote.origin.url',
    'ls-tree',
    'checkout',
  ])
    for (const when of ['before', 'after'] as const)
      it(`is whole after a prepare that was killed ${when} git ${part}, and the next one goes on`, async () => {
        if (part === 'rev-list') {
          await requireGood()
          remote.commit('main', { 'b.txt': 'more\n' })
        }
        const killed = await execution({}, gitThat('kill -9 $PPID', when, part)).step('prepare')
        assert.equal(killed.exitCode, null, killed.stderr)
        await requireGood()
        assert.deepEqual(generations(), ['1'])
      })

  it('is fetched once for all that wait for it, however many they are', async () => {
    const go = join(root, 'go')
    const log = join(root, 'log')
    const path = gitThat(`until [ -e ${go} ]; do sleep 0.01; done`, 'before', '--bare')
    const count = join(root, 'count')
    mkdirSync(count)
    writeFileSync(
      join(count, 'git'),
      `#!/bin/sh\ncase " $* " in *" --bare "*) echo fetch >> ${log};; esac\nPATH="\${PATH#*:}" exec git "$@"\n`,
      { mode: 0o755 },
    )
    const run = (n: number) => {
      const spec = { sandbox: `demo-${n}`, execution: `demo-${n}` }
      return finish(execution(spec, { PATH: `${count}:${path['PATH']}` }).start('prepare'))
    }
    const first = run(0)
    await until('the first one fetches', () => existsSync(log))
    const seen = readFileSync(repository('fetches'), 'utf8')
    const others = [1, 2, 3, 4].map(run)
    await until('all others wait', () => waiting(repository('lock')) === 4)
    writeFileSync(go, '')
    const ends = await Promise.all([first, ...others])
    assert.deepEqual(
      ends.map(({ exitCode }) => exitCode),
      [0, 0, 0, 0, 0],
      ends.map(({ stderr }) => stderr).join(''),
    )
    const waits = /waiting for the mirror of .*remote\.git, which another task brings up to date\n/
    assert.deepEqual([waits.test(ends[0]?.stderr ?? ''), waits.test(ends[4]?.stderr ?? '')], [false, true])
    assert.equal(seen, '1 0\n')
    assert.equal(readFileSync(log, 'utf8'), 'fetch\nfetch\n')
    assert.equal(ends.filter(({ stderr }) => stderr.includes('another task has just brought')).length, 3)
  })

  /** How many processes wait for the lock of a file, as the kernel says. */
  function waiting(path: string): number {
    const inode = gitIn(root, '-c', `alias.inode=!stat -c %i ${path}`, 'inode')
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes('->') && line.includes(`:${inode} `)).length
  }

  it('that has very many packs gets a successor without what the remote dropped, and stays for the clones that it has', async () => {
    const dropped = remote.commit('dropped', { 'c.txt': 'dropped\n' })
    await requireGood()
    remote.git('update-ref', '-d', 'refs/heads/dropped')
    const before = execution({ sandbox: 'before' })
    await before.step('prepare')
    const many =
      'for n in $(seq 51); do git commit-tree -m $n main^{tree} | git pack-objects -q objects/pack/pack; done'
    gitIn(place('1'), '-c', `alias.many=!${many}`, 'many')
    const held = readdirSync(place('1'), { recursive: true }).length
    assert.match(await requireGood(), /mirror 1 of .* has grown: made mirror 2 from it .*\n.*borrowing from mirror 2/)
    assert.deepEqual([generations(), readdirSync(place('1'), { recursive: true }).length], [['1', '2'], held])
    assert.equal(gitIn(join(root, 'volume/sandboxes/before/repo'), 'fsck', '--full', '--no-dangling'), '')
    assert.throws(() => gitIn(place('2'), 'cat-file', '-e', dropped))
    assert.match(await requireGood(), /the mirror is up to date .*\n.*borrowing from mirror 2/)
  })
})
