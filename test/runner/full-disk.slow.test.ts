import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentOutcome } from '../../core/execution/result.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Staged } from '../../core/execution/staged.ts'
import type { StepName } from '../../core/execution/steps.ts'
import { leaveOut } from '../helpers/leave-out.ts'
import { type LfsHost, oidOf, pointerTo, serveLfs } from '../helpers/lfs-server.ts'
import { type Remote, gitIn, makeRemote } from '../helpers/repository.ts'
import { type SmallDisk, findMountProblem, mountSmallDisk } from '../helpers/small-disk.ts'
import { checksOf } from './checks/given.ts'
import { aPrepare, aRecipe, FOLDER, mountedOf } from './environment/given.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from './execution.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const KIB = 1024
/** Far more than the files that a step writes for itself. */
const MUCH = 2000 * KIB

/** Something that takes room on the data volume. */
interface Work {
  readonly execution: TestExecution
  readonly step: StepName
  /** Does what comes before the step in a Job, while there is room. */
  readonly before?: (jobNumber: number) => Promise<unknown>
  /** Looks at what is there once the step has succeeded. */
  readonly check: () => void
  readonly checkFailed?: () => void
}

describe('a data volume that becomes full', function () {
  let root = ''
  let disk: SmallDisk | undefined
  let host: LfsHost
  let remote: Remote

  beforeEach(async function () {
    root = makeFolder()
    const problem = findMountProblem('tmpfs', root)
    if (problem !== undefined) leaveOut(this, `no disk can be mounted: ${problem}`)
    mkdirSync(join(root, 'volume'))
    disk = mountSmallDisk('tmpfs', join(root, 'volume'), '32M')
    host = await serveLfs(root, 'bob', 'hunter22')
    remote = makeRemote(root, { 'a.txt': 'one\n' })
  })
  afterEach(async () => {
    await host?.close()
    disk?.unmount()
    disk = undefined
    removeFolder(root)
  })

  const noise = (bytes: number): string => randomBytes(bytes / 2).toString('hex')
  const mirror = (...below: string[]): string => join(root, 'volume', 'repositories', KEY, 'mirrors', ...below)
  const task = (spec: Partial<RunSpec> = {}, script = 'true'): TestExecution =>
    makeExecution(root, remote, script, { mirror: KEY, ...spec })
  const succeeds = async (execution: TestExecution, step: StepName, change?: Partial<RunSpec>): Promise<string> => {
    const { exitCode, stderr } = await execution.step(step, change)
    assert.equal(exitCode, 0, stderr)
    return stderr
  }
  function checkClone({ clone }: TestExecution, from = remote): void {
    assert.equal(gitIn(clone, 'fsck', '--full', '--no-dangling'), '')
    assert.equal(gitIn(clone, 'status', '--porcelain'), '')
    assert.equal(gitIn(clone, 'rev-parse', 'HEAD'), from.git('rev-parse', 'main'))
  }
  function checkMirrors(...expected: string[]): void {
    assert.deepEqual(
      readdirSync(mirror())
        .filter((name) => name !== 'fetches')
        .toSorted(),
      expected,
    )
    for (const number of expected) assert.equal(gitIn(mirror(number), 'fsck', '--full', '--no-dangling'), '')
    assert.ok(!existsSync(join(mirror(), '..', 'making')))
  }
  function giveLogin(): Partial<RunSpec> {
    mkdirSync(join(root, 'login'))
    writeFileSync(join(root, 'login', 'username'), 'bob')
    writeFileSync(join(root, 'login', 'password'), 'hunter22')
    return { gitCredentialsDir: join(root, 'login'), gitHost: host.host }
  }

  /** What a step has written that ends with 0 whatever came of it. */
  function findEnd(execution: TestExecution, step: StepName): Pick<AgentOutcome, 'outcome' | 'error'> | undefined {
    if (step === 'agent' && execution.exists('agent/outcome.json')) return execution.outcome()
    if (step !== 'stage' || !execution.exists('staged.json')) return undefined
    return (JSON.parse(execution.read('staged.json')) as Staged).result
  }

  const works: readonly (readonly [string, () => Promise<Work>])[] = [
    [
      'while the first mirror is made',
      async () => {
        remote.commit('main', { 'large.txt': noise(MUCH) })
        const execution = task()
        return { execution, step: 'prepare', check: () => (checkClone(execution), checkMirrors('1')) }
      },
    ],
    [
      'while new commits are fetched into a mirror',
      async () => {
        await succeeds(task(), 'prepare')
        remote.commit('main', { 'large.txt': noise(MUCH) })
        const execution = task()
        return { execution, step: 'prepare', check: () => (checkClone(execution), checkMirrors('1')) }
      },
    ],
    [
      'while a mirror that has grown gets a successor',
      async () => {
        remote.commit('main', { 'none/a': 'a', 'folder/large.txt': noise(MUCH) })
        await succeeds(task({ checkout: { sparse: ['none'] } }), 'prepare')
        const pack =
          'for n in $(seq 51); do git commit-tree -m $n main^{tree} | git pack-objects -q objects/pack/pack; done'
        const who = {
          GIT_AUTHOR_NAME: 'A',
          GIT_AUTHOR_EMAIL: 'a@x',
          GIT_COMMITTER_NAME: 'A',
          GIT_COMMITTER_EMAIL: 'a@x',
        }
        execFileSync('sh', ['-c', pack], { cwd: mirror('1'), env: { ...process.env, ...who }, stdio: 'ignore' })
        const execution = task()
        return { execution, step: 'prepare', check: () => (checkClone(execution), checkMirrors('1', '2')) }
      },
    ],
    [
      'while a clone that borrows its objects is checked out',
      async () => {
        remote.commit('main', { 'folder/large.txt': 'much\n'.repeat(MUCH / 5), 'none/a': 'a\n' })
        await succeeds(task({ checkout: { sparse: ['none'] } }), 'prepare')
        const execution = task()
        return { execution, step: 'prepare', check: () => (checkClone(execution), checkMirrors('1')) }
      },
    ],
    [
      'while a clone gets objects of its own',
      async () => {
        remote.commit('main', { 'large.txt': noise(MUCH) })
        const execution = task({ checkout: { borrow: false } })
        return { execution, step: 'prepare', check: () => checkClone(execution) }
      },
    ],
    [
      'while files are fetched from Git LFS',
      async () => {
        const content = noise(MUCH)
        host.objects.set(oidOf(content), Buffer.from(content))
        remote.commit('main', { '.gitattributes': '*.bin filter=lfs\n', 'a.bin': pointerTo(content) })
        const repositoryUrl = `http://${host.host}/remote.git`
        const execution = task({ ...giveLogin(), repositoryUrl, checkout: { lfs: 'Fetch' } })
        const check = (): void => {
          checkClone(execution)
          assert.ok(readFileSync(join(execution.clone, 'a.bin'), 'utf8') === content)
        }
        return { execution, step: 'prepare', check }
      },
    ],
    [
      'while a submodule is fetched',
      async () => {
        const lib = makeRemote(join(root, 'lib'), { 'large.txt': noise(MUCH) })
        const url = `http://${host.host}/lib/remote.git`
        const work = join(root, 'work')
        gitIn(root, 'clone', '--quiet', remote.path, work)
        writeFileSync(join(work, '.gitmodules'), `[submodule "lib"]\n\tpath = lib\n\turl = ${url}\n`)
        gitIn(work, 'add', '--all')
        gitIn(work, 'update-index', '--add', '--cacheinfo', `160000,${lib.git('rev-parse', 'main')},lib`)
        gitIn(work, 'commit', '--quiet', '--message', 'link')
        gitIn(work, 'push', '--quiet', 'origin', 'HEAD:main')
        const repositoryUrl = `http://${host.host}/remote.git`
        const execution = task({ ...giveLogin(), repositoryUrl, checkout: { submodules: 'Full' } })
        const check = (): void => {
          checkClone(execution)
          assert.equal(gitIn(join(execution.clone, 'lib'), 'rev-parse', 'HEAD'), lib.git('rev-parse', 'main'))
          assert.equal(gitIn(join(execution.clone, 'lib'), 'status', '--porcelain'), '')
        }
        return { execution, step: 'prepare', check }
      },
    ],
    [
      'while an environment is handed out',
      async () => {
        const setup = `mkdir c; head -c ${MUCH} /dev/urandom > c/file; echo "$PWD" > c/place`
        const recipe = aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] })
        const prepare = aPrepare(root, remote, recipe)
        assert.equal((await prepare.all()).exitCode, 0)
        const execution = task({ environment: { image: '', recipe, mounted: mountedOf(prepare) } })
        const check = (): void => {
          checkClone(execution)
          const sealed = readFileSync(join(root, 'volume', FOLDER, '0', 'file'))
          assert.ok(readFileSync(join(execution.clone, 'c', 'file')).equals(sealed))
          assert.equal(readFileSync(join(execution.clone, 'c', 'place'), 'utf8'), `${execution.clone}\n`)
        }
        return { execution, step: 'prepare', check }
      },
    ],
    [
      'while a setup runs',
      async () => {
        const setup = `mkdir c; head -c ${MUCH} /dev/urandom > c/file`
        const execution = aPrepare(root, remote, aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
        const before = (jobNumber: number): Promise<unknown> => succeeds(execution, 'prepare', { jobNumber })
        const check = (): void =>
          assert.equal(statSync(join(execution.volume, 'sandboxes/aside.prepare/repo/c/file')).size, MUCH)
        return { execution, step: 'agent', before, check }
      },
    ],
    [
      'while work is staged for its checks',
      async () => {
        remote.commit('main', { 'large.txt': noise(MUCH) })
        const checks = checksOf({ test: 'true', lint: 'true' })
        const execution = task({ checks }, `head -c ${MUCH} /dev/urandom > more`)
        const before = async (jobNumber: number): Promise<void> => {
          for (const step of ['prepare', 'agent'] as const) await succeeds(execution, step, { jobNumber })
        }
        const check = (): void => {
          for (const name of ['test', 'lint']) {
            const repo = join(execution.folder, 'checkouts', name, 'repo')
            assert.equal(gitIn(repo, 'status', '--porcelain'), '')
            assert.equal(gitIn(repo, 'fsck', '--full', '--no-dangling'), '')
            assert.equal(statSync(join(repo, 'more')).size, MUCH)
          }
        }
        const checkFailed = (): void => {
          assert.equal(execution.exists('staged.git'), false)
          assert.equal(execution.exists('checkouts/test/repo'), false)
        }
        return { execution, step: 'stage', before, check, checkFailed }
      },
    ],
    [
      'while an environment is sealed',
      async () => {
        const setup = `mkdir -p c; head -c ${MUCH} /dev/urandom > c/file`
        const execution = aPrepare(root, remote, aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] }))
        const before = async (jobNumber: number): Promise<void> => {
          for (const step of ['prepare', 'agent'] as const) await succeeds(execution, step, { jobNumber })
        }
        const sealed = (...names: string[]): string => join(root, 'volume', FOLDER, ...names)
        const check = (): void => {
          assert.deepEqual(readdirSync(sealed()).toSorted(), ['0', 'seal.json'])
          assert.equal(statSync(sealed('0', 'file')).size, MUCH)
        }
        const checkFailed = (): void => assert.deepEqual(readdirSync(sealed()), [])
        return { execution, step: 'deliver', before, check, checkFailed }
      },
    ],
  ]

  it('takes none of its last room for files in Git LFS that cannot all fit', async () => {
    const content = noise(MUCH)
    const more = noise(MUCH)
    for (const one of [content, more]) host.objects.set(oidOf(one), Buffer.from(one))
    const files = {
      '.gitattributes': '*.bin filter=lfs\n',
      'a.bin': pointerTo(content),
      'b.bin': pointerTo(more),
    }
    remote.commit('main', files)
    const execution = task({
      repositoryUrl: `http://${host.host}/remote.git`,
      ...giveLogin(),
      checkout: { lfs: 'Fetch' },
    })
    disk?.fill(MUCH * 1.5)
    assert.equal((await execution.step('prepare')).exitCode, 1)
    assert.match(
      execution.result().error?.message ?? '',
      /^no space is left on the data volume: .* \(3\.9 MiB are to come from Git LFS, and .* are free\), or check out fewer/,
    )
    assert.equal(host.asked.length, 0)
  })

  for (const [when, make] of works)
    it(`is named ${when}, leaves nothing torn, and the next try works once there is room`, async () => {
      const { execution, step, before, check, checkFailed } = await make()
      let jobNumber = 0
      const attempt = async (leftBytes: number): Promise<boolean> => {
        jobNumber += 1
        await before?.(jobNumber)
        disk?.fill(leftBytes)
        const { exitCode, stderr } = await execution.step(step, { jobNumber })
        disk?.free()
        const end = findEnd(execution, step)
        if (exitCode === 0 && (end === undefined || end.outcome === 'succeeded')) return true
        assert.match(end?.error?.message ?? stderr, /no space is left on the data volume: make room on it[;,] then /)
        checkFailed?.()
        return false
      }
      for (let left = 0; !(await attempt(left)); left = Math.max(16 * KIB, left * 4)) continue
      check()
      assert.ok(jobNumber > 1, 'it was never full')
      disk?.free()
      jobNumber += 1
      await before?.(jobNumber)
      await succeeds(execution, step, { jobNumber })
      check()
    })
})
