import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote, type Remote } from '../../helpers/repository.ts'
import { findMountProblem, mountSmallDisk } from '../../helpers/small-disk.ts'
import { makeFolder, removeFolder, type TestExecution } from '../execution.ts'
import { aPrepare, aRecipe, countIn, FOLDER, killWhen, readSeal } from './given.ts'

describe('the sealing of an environment', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: 'a' })
  })
  afterEach(() => removeFolder(root))

  const prepared = async (
    setup: string,
    paths: readonly string[] = ['c'],
    more: object = {},
  ): Promise<TestExecution> => {
    const cache = paths.map((path) => ({ path, mode: 'Copy' as const }))
    const execution = aPrepare(root, remote, aRecipe({ setup, cache }), more)
    await execution.all()
    return execution
  }
  const sealed = (execution: TestExecution, path: string): string => join(execution.volume, FOLDER, path)

  it('keeps what the setup left in clone and home, and nothing else of it', async () => {
    const setup = 'mkdir -p c ~/.npm; echo 1 > c/one; echo 2 > ~/.npm/two; echo 3 > three'
    const execution = await prepared(setup, ['c', '~/.npm'])
    assert.equal(execution.result().outcome, 'succeeded')
    assert.deepEqual(readdirSync(sealed(execution, '.')).sort(), ['0', '1', 'seal.json'])
    assert.equal(readFileSync(sealed(execution, '0/one'), 'utf8'), '1\n')
    assert.equal(readFileSync(sealed(execution, '1/two'), 'utf8'), '2\n')
    const { clone, home, caches } = readSeal(execution)
    assert.ok(clone.endsWith('/sandboxes/aside.prepare/repo') && home.endsWith('/sandboxes/aside.prepare/home'))
    assert.deepEqual(
      caches.map(({ path }) => path),
      ['c', '~/.npm'],
    )
  })

  it('says that a cache was not made, and keeps it empty', async () => {
    const cache = [{ path: 'c', mode: 'Copy' as const }]
    const execution = aPrepare(root, remote, aRecipe({ setup: 'true', cache }))
    const { stderr, exitCode } = await execution.all()
    assert.equal(exitCode, 0)
    assert.match(stderr, /the setup has left nothing at c: it is kept as an empty folder/)
    assert.deepEqual(readdirSync(sealed(execution, '0')), [])
  })

  it('copies links as links, inside and to elsewhere', async () => {
    writeFileSync(join(root, 'other-tasks-secret'), 'secret')
    const execution = await prepared(`mkdir c; ln -s /etc/passwd c/passwd; ln -s ${root} c/other; ln -s . c/self`)
    assert.equal(execution.result().outcome, 'succeeded')
    assert.equal(readlinkSync(sealed(execution, '0/passwd')), '/etc/passwd')
    assert.equal(readlinkSync(sealed(execution, '0/other')), root)
    assert.ok(lstatSync(sealed(execution, '0/self')).isSymbolicLink())
  })

  for (const [name, setup, path] of [
    ['is a link', 'ln -s /etc c', 'c'],
    ['is reached through a link', 'mkdir -p real/c; ln -s real d', 'd/c'],
    ['is a file', 'echo > c', 'c'],
    ['lies in a clone that is a link by now', 'cd ..; mv repo old; ln -s /etc repo', 'ssl'],
    ['lies in a home that is a link by now', 'rm -rf ~; ln -s /etc ~', '~/ssl'],
  ] as const)
    it(`refuses a cache that ${name}, and keeps nothing`, async () => {
      const execution = await prepared(setup, [path])
      assert.equal(execution.result().outcome, 'failed')
      assert.match(
        execution.result().error?.message ?? '',
        new RegExp(`^cache ${path} is a link or a file, or is reached through one`),
      )
      assert.deepEqual(readdirSync(sealed(execution, '.')), [])
    })

  it('shares no file with the sandbox, and drops what would let a file run as another user', async () => {
    const setup = 'mkdir -p c/d; echo > c/tool; chmod 6755 c/tool; chmod 2700 c/d; ln c/tool c/same; ln c/tool outside'
    const execution = await prepared(setup)
    assert.equal(execution.result().outcome, 'succeeded')
    const { mode, nlink } = lstatSync(sealed(execution, '0/tool'))
    assert.deepEqual([mode & 0o7777, nlink], [0o755, 1])
    assert.equal(lstatSync(sealed(execution, '0/d')).mode & 0o7777, 0o700)
  })

  it('leaves out pipes and sockets, and lets folders be removed', async () => {
    const setup = 'mkdir -p c/d; mkfifo c/pipe; chmod 500 c/d'
    const execution = await prepared(setup)
    assert.equal(execution.result().outcome, 'succeeded')
    assert.deepEqual(readdirSync(sealed(execution, '0')), ['d'])
    assert.equal(lstatSync(sealed(execution, '0/d')).mode & 0o700, 0o700)
  })

  it('is refused where a file holds the value of a secret, without saying it anywhere', async () => {
    const value = 'npm_s3cr3t_t0k3n'
    const secrets = { NPM_TOKEN: value }
    const execution = aPrepare(
      root,
      remote,
      aRecipe({
        setup: 'mkdir c; echo "token: $NPM_TOKEN" | tee c/.npmrc; echo 1 > c/ok',
        cache: [{ path: 'c', mode: 'Copy' }],
      }),
      { secrets },
    )
    const { stderr } = await execution.all()
    assert.equal(
      execution.result().error?.message,
      'cache c is not kept: .npmrc holds the value of the secret variable NPM_TOKEN: let the setup put it elsewhere, or remove it there',
    )
    assert.deepEqual(readdirSync(sealed(execution, '.')), [])
    assert.equal(execution.read('agent/stdout.log'), 'token: [redacted]\n')
    for (const text of [stderr, execution.read('result.json'), execution.read('agent/outcome.json')])
      assert.ok(!text.includes(value))
  })

  for (const [name, script] of [
    ['the name of a file', 'echo > "c/$TOKEN"'],
    ['a link', 'ln -s "/$TOKEN" c/link'],
    ['a program', `printf '\\0%s' "$TOKEN" > c/program`],
  ] as const)
    it(`is refused where ${name} holds the value of a secret`, async () => {
      const value = 'a_s3cr3t_t0k3n'
      const cache = [{ path: 'c', mode: 'ReadOnly' as const }]
      const execution = aPrepare(root, remote, aRecipe({ setup: `mkdir c; ${script}`, cache }), {
        secrets: { TOKEN: value },
      })
      const { stderr } = await execution.all()
      assert.match(execution.result().error?.message ?? '', /holds the value of the secret variable TOKEN/)
      assert.ok(!execution.read('result.json').includes(value) && !stderr.includes(value))
    })

  it('keeps nothing of a setup that failed, and tells its last lines', async () => {
    const execution = await prepared('mkdir c; echo one; echo "no such package" >&2; exit 3')
    const { outcome, error, exitCode, sealed: none } = execution.result()
    assert.deepEqual(
      [outcome, error?.message, exitCode, none],
      ['failed', 'the script exited 3: no such package', 3, undefined],
    )
    assert.ok(!existsSync(sealed(execution, 'seal.json')))
    assert.equal(execution.read('agent/stdout.log'), 'one\n')
  })

  it('keeps nothing of a setup that took too long, which the repository may bound itself', async () => {
    remote.commit('main', { '.slipway/environment.yaml': 'setup: exec sleep 100\ntimeout: 300ms' })
    const execution = aPrepare(root, remote, null)
    assert.equal((await execution.all()).exitCode, 1)
    assert.equal(execution.result().outcome, 'timed_out')
    assert.match(
      execution.result().error?.message ?? '',
      /^the setup did not finish within 0\.3 seconds: give it longer/,
    )
  })

  it('pushes nothing, commits nothing, and asks nothing', async () => {
    const execution = await prepared(
      'mkdir c; echo x > x; git add x; git commit -qm x; echo "{}" > "$SERVICE_QUESTION_FILE"; echo hi > "$SERVICE_SUMMARY_FILE"',
    )
    const { outcome, pushed, commits, summary, questions } = execution.result()
    assert.deepEqual(
      [outcome, pushed, commits, summary, questions],
      ['succeeded', false, undefined, undefined, undefined],
    )
    assert.equal(remote.git('branch', '--list'), '* main')
  })

  it('takes no word of what a setup writes in the place of its outcome but its failure', async () => {
    const execution = aPrepare(root, remote, aRecipe())
    await execution.step('prepare')
    await execution.step('agent')
    const forged = { ...execution.outcome(), outcome: 'blocked', costUSD: 100, sessionId: 'x', summary: 'y' }
    execution.write('agent/outcome.json', JSON.stringify(forged))
    assert.equal((await execution.step('deliver')).exitCode, 1)
    const { outcome, costUSD, sessionId, summary } = execution.result()
    assert.deepEqual([outcome, costUSD, sessionId, summary], ['failed', undefined, undefined, undefined])
  })

  it('does not run a setup again that has succeeded, when its Job starts anew', async () => {
    const setup = `mkdir c; echo ran >> ${root}/runs`
    const execution = aPrepare(root, remote, aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
    for (const step of ['prepare', 'agent', 'prepare', 'agent', 'deliver', 'deliver'] as const)
      assert.equal((await execution.step(step)).exitCode, 0, step)
    assert.equal(readFileSync(join(root, 'runs'), 'utf8'), 'ran\n')
    assert.equal(execution.result().outcome, 'succeeded')
  })

  it('is none before it is whole: the next Job begins anew, whenever this one was killed', async () => {
    const setup = 'mkdir -p c/d; for n in $(seq 400); do head -c 20000 /dev/zero > c/d/$n; done; echo "$PWD" > c/place'
    const execution = aPrepare(root, remote, aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
    await execution.step('prepare')
    await execution.step('agent')
    const seal = sealed(execution, 'seal.json')
    const copied = (): number => countIn(sealed(execution, '0/d'))
    const moments: readonly (() => boolean)[] = [
      () => existsSync(sealed(execution, '0')),
      () => copied() > 0,
      () => copied() === 400,
      () => existsSync(seal),
      () => execution.exists('result.json'),
    ]
    for (const isReached of moments) {
      await killWhen(execution, 'deliver', isReached)
      if (existsSync(seal)) assert.equal(copied(), 400)
      removeFolder(join(execution.folder, 'result.json'))
    }
    writeFileSync(sealed(execution, '0/left-over'), '')
    mkdirSync(sealed(execution, '7'))
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.ok(!existsSync(sealed(execution, '0/left-over')) && !existsSync(sealed(execution, '7')))
    assert.deepEqual(readSeal(execution).caches[0]?.relocated, ['place'])
  })

  it('ends on a full volume with words for people, and leaves nothing', async function () {
    const problem = findMountProblem('tmpfs', root)
    if (problem !== undefined) this.skip()
    const execution = aPrepare(
      root,
      remote,
      aRecipe({ setup: 'mkdir c; head -c 3000000 /dev/zero > c/zero', cache: [{ path: 'c', mode: 'Copy' }] }),
    )
    await execution.step('prepare')
    await execution.step('agent')
    const disk = mountSmallDisk('tmpfs', join(execution.volume, FOLDER), '1M')
    try {
      assert.equal((await execution.step('deliver')).exitCode, 1)
      assert.deepEqual(readdirSync(join(execution.volume, FOLDER)), [])
    } finally {
      disk.unmount()
    }
    const { error } = execution.result()
    assert.equal(error?.category, 'unavailable')
    assert.match(error?.message ?? '', /^no space is left on the data volume: make room on it/)
  })

  it('reads nothing for ever: a file with a hole beyond the volume is refused', async () => {
    const execution = await prepared('mkdir c; truncate -s 8T c/hole')
    assert.match(
      execution.result().error?.message ?? '',
      /^cache c is not kept: all caches together have more bytes than the volume/,
    )
  })

  it('finds its way through names that are no UTF-8', async () => {
    const execution = await prepared(`mkdir c; echo "$PWD" > "c/$(printf '\\377')"; echo "$PWD" > c/ok`)
    assert.equal(execution.result().outcome, 'succeeded')
    assert.deepEqual(readSeal(execution).caches[0]?.relocated, ['ok'])
    assert.equal(
      execFileSync('ls', [sealed(execution, '0')])
        .toString('latin1')
        .includes('\u00ff'),
      true,
    )
  })
})
