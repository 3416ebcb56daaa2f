import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote, type Remote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { killWhen } from '../environment/given.ts'
import { finish, makeExecution, makeFolder, removeFolder, type TestExecution } from '../execution.ts'
import { checksOf } from './given.ts'

describe('an execution with checks whose step is ended', function () {
  this.timeout(300_000)
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: '1' })
  })
  afterEach(() => removeFolder(root))

  const made = async (): Promise<TestExecution> => {
    const checks = checksOf({ test: 'cat a', lint: 'true' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks })
    for (const step of ['prepare', 'agent'] as const) await execution.step(step)
    return execution
  }
  /** The next Job, as the operator makes it for one that is lost. */
  const goesOn = async (execution: TestExecution, jobNumber: number): Promise<void> => {
    const change = { jobNumber, deliverOnly: true, keepClone: true }
    assert.equal((await execution.step('stage', change)).exitCode, 0)
    for (const name of ['test', 'lint']) assert.equal((await execution.check(name, change)).exitCode, 0)
    assert.equal((await execution.step('deliver', change)).exitCode, 0)
    const { outcome, head, checks = [] } = execution.result()
    assert.deepEqual([outcome, head], ['succeeded', remote.git('rev-parse', 'slipway/demo')])
    assert.deepEqual(
      checks.map(({ state, commit }) => [state, commit]),
      checks.map(() => ['Passed', head]),
    )
    assert.equal(remote.git('show', 'slipway/demo:a'), '2')
    assert.equal(remote.git('rev-list', '--count', 'slipway/demo'), '2')
  }

  const PLACES: Readonly<Record<string, (folder: string) => boolean>> = {
    'before anything is there': () => true,
    'while the staged repository is made': (folder) => existsSync(join(folder, 'staged.git')),
    'while the first checkout is made': (folder) => existsSync(join(folder, 'checkouts/test/repo')),
    'while the second one is copied': (folder) => existsSync(join(folder, 'checkouts/lint/repo')),
    'when it is done': (folder) => existsSync(join(folder, 'staged.json')),
  }
  for (const [where, isThere] of Object.entries(PLACES))
    it(`goes on after SIGKILL of stage ${where}`, async () => {
      const execution = await made()
      await killWhen(execution, 'stage', () => isThere(execution.folder))
      await goesOn(execution, 2)
    })

  it('goes on after SIGKILL of deliver before and after the push, and while it removes what was staged', async () => {
    const places: readonly ((folder: string) => boolean)[] = [
      () => true,
      () => remote.git('branch', '--list', 'slipway/demo') !== '',
      (folder) => !existsSync(join(folder, 'checkouts/test/repo')),
    ]
    for (const isThere of places) {
      const execution = await made()
      await execution.step('stage')
      for (const name of ['test', 'lint']) await execution.check(name)
      await killWhen(execution, 'deliver', () => isThere(execution.folder))
      // The same Job again, as on a machine whose node starts anew.
      if (existsSync(join(execution.folder, 'staged.git')) && !execution.exists('result.json'))
        assert.equal((await execution.step('deliver')).exitCode, 0)
      await goesOn(execution, 2)
      removeFolder(join(root, 'volume'))
      remote.git('branch', '-D', 'slipway/demo')
    }
  })

  it('writes neither verdict nor result when SIGTERM ends stage or deliver', async () => {
    const execution = await made()
    const begun = join(root, 'begun')
    const wait = `touch ${begun}; exec sleep 1000`
    const isEnded = async (step: 'stage' | 'deliver', below: readonly string[]): Promise<void> => {
      const child = execution.start(step, {}, below)
      const ended = finish(child)
      await until(`${step} waits`, () => existsSync(begun))
      child.kill('SIGTERM')
      assert.equal((await ended).exitCode, 143)
      rmSync(begun)
    }
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    mkdirSync(join(root, 'bin'))
    const slow = `#!/bin/sh\n[ "$1" = pack-objects ] && { ${wait}; }\nexec ${git} "$@"\n`
    writeFileSync(join(root, 'bin', 'git'), slow, { mode: 0o755 })
    await isEnded('stage', ['env', `PATH=${join(root, 'bin')}:${process.env['PATH']}`])
    assert.equal(execution.exists('staged.json'), false)
    await execution.step('stage')
    for (const name of ['test', 'lint']) await execution.check(name)
    writeFileSync(join(remote.path, 'hooks', 'pre-receive'), `#!/bin/sh\n${wait}\n`, { mode: 0o755 })
    await isEnded('deliver', [])
    assert.equal(execution.exists('result.json'), false)
    assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
  })

  it('ends a check that does not heed SIGTERM', async () => {
    const checks = checksOf({ test: "trap '' TERM; touch begun; while :; do sleep 1; done" }, { timeoutSeconds: 1 })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    const child = execution.startCheck('test')
    const [exitCode] = (await once(child, 'exit')) as [number]
    assert.equal(exitCode, 0)
    assert.match(execution.read('rounds/1/test/verdict.json'), /"TimedOut"/)
  })
})
