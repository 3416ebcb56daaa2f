import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcessesByEnvironment } from '../../../lib/process.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { checksOf } from './given.ts'

describe('the program of a check', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function staged(
    programs: Readonly<Record<string, string>>,
    more: Parameters<typeof checksOf>[1] = {},
    variables: Readonly<Record<string, string>> = {},
  ): Promise<TestExecution> {
    const remote = makeRemote(root, { a: '1', 'test.sh': 'false\n' })
    const checks = checksOf(programs, more)
    const execution = makeExecution(root, remote, 'echo true > test.sh', { checks }, variables)
    for (const step of ['prepare', 'agent', 'stage'] as const) assert.equal((await execution.step(step)).exitCode, 0)
    return execution
  }
  const verdictOf = (execution: TestExecution, name = 'test'): Record<string, unknown> =>
    JSON.parse(execution.read(`rounds/1/${name}/verdict.json`)) as Record<string, unknown>
  const leftBehind = (execution: TestExecution): Promise<number[]> =>
    findProcessesByEnvironment('CHECK_RESULTS', join(execution.folder, 'rounds', '1', 'test'))

  it('gets its own home and temporary folder, the container’s variables, and nothing of the runner’s', async () => {
    const test = 'echo "$HOME"; echo "$FROM_IMAGE"; test -w "$TMPDIR" || exit 2; pwd; env | grep -c ^SLIPWAY_'
    const execution = await staged({ test }, {}, { FROM_IMAGE: '17', SLIPWAY_SECRET: 'no' })
    await execution.check('test')
    const folder = join(execution.folder, 'checkouts', 'test')
    assert.equal(execution.read('rounds/1/test/output.log'), `${folder}/home\n17\n${folder}/repo\n0\n`)
  })

  it('runs by its shebang, and shows what it prints in order', async () => {
    const test = '#!/usr/bin/env python3\nimport os\nfor n in range(9): os.write(1 + n % 2, b"%d\\n" % n)\n'
    const execution = await staged({ test })
    await execution.check('test')
    assert.equal(execution.read('rounds/1/test/output.log'), '0\n1\n2\n3\n4\n5\n6\n7\n8\n')
  })

  it('leaves no process behind, in its group or out of it', async () => {
    const execution = await staged({
      test: 'sleep 1000 & setsid sleep 1000 & (setsid setsid sleep 1000 &) ; sleep 0.2',
    })
    assert.equal((await execution.check('test')).exitCode, 0)
    assert.deepEqual(await leftBehind(execution), [])
    assert.deepEqual([verdictOf(execution)['state'], verdictOf(execution)['exitCode']], ['Passed', 0])
  })

  it('is not waited for by its output, which a process keeps open that nobody finds', async () => {
    const execution = await staged({ test: 'echo said; env -i setsid sleep 12 & sleep 0.1' })
    assert.equal((await execution.check('test')).exitCode, 0)
    assert.equal(verdictOf(execution)['state'], 'Passed')
    assert.equal(execution.read('rounds/1/test/output.log'), 'said\n')
  })

  it('is ended when its time is over, with all that it has started', async () => {
    const execution = await staged({ test: 'echo begun; setsid sleep 1000 & sleep 1000' }, { timeoutSeconds: 1 })
    assert.equal((await execution.check('test')).exitCode, 0)
    assert.equal(verdictOf(execution)['state'], 'TimedOut')
    assert.equal(execution.read('rounds/1/test/output.log'), 'begun\n')
    assert.deepEqual(await leftBehind(execution), [])
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /test/)
  })

  it('that kills the runner leaves no verdict, and is red', async () => {
    const execution = await staged({ test: 'kill -9 $PPID; sleep 0.2' })
    assert.equal((await execution.check('test')).exitCode, null)
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /test \(it left no verdict\)|test is red: it left no verdict/)
  })

  it('that a signal ends is red and says so', async () => {
    const execution = await staged({ test: 'kill -11 $$' })
    await execution.check('test')
    const { state, reason, exitCode } = verdictOf(execution)
    assert.deepEqual([state, reason, exitCode], ['Failed', 'ended by SIGSEGV', undefined])
  })

  it('that cannot be started is red, and the next one runs', async () => {
    const execution = await staged({ test: '#!/no/such/interpreter\n', next: 'true' })
    assert.equal((await execution.check('test')).exitCode, 0)
    assert.match(String(verdictOf(execution)['reason']), /^its program cannot be started: .*ENOENT/)
    assert.equal((await execution.check('next')).exitCode, 0)
  })

  it('cannot pass on what it writes into its checkout', async () => {
    const programs = {
      test: 'echo 2 > a; git add a; git -c user.name=a -c user.email=a@a commit -qm a; touch ../home/x',
      next: 'cat a; ls ~',
    }
    const execution = await staged(programs)
    for (const name of ['test', 'next']) await execution.check(name)
    assert.equal(execution.read('rounds/1/next/output.log'), '1')
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(execution.result().checks?.[0]?.commit, execution.result().head)
  })

  it('cannot have another file read in the place of its verdict or output', async () => {
    const secret = join(root, 'secret')
    writeFileSync(secret, 'secret\n')
    const test = `rm ../../../rounds/1/test/output.log; ln -s ${secret} ../../../rounds/1/test/output.log; exit 1`
    const execution = await staged({ test, linked: 'true' })
    await execution.check('test')
    symlinkSync(
      join(execution.folder, 'rounds/1/test/verdict.json'),
      join(execution.folder, 'rounds/1/linked/verdict.json'),
    )
    await execution.step('deliver')
    const [first, second] = execution.result().checks ?? []
    assert.deepEqual([first?.state, first?.tail], ['Failed', undefined])
    assert.deepEqual([second?.state, second?.reason], ['Failed', 'it left no verdict'])
  })

  it('cannot put into the record what nobody could keep, or what steers a terminal', async () => {
    const execution = await staged({ test: 'true' })
    await execution.check('test')
    const forged = {
      ...verdictOf(execution),
      state: 'Failed',
      startedAt: 'never',
      exitCode: 2 ** 40,
      reason: '\u001b[2Jgone\u0007',
    }
    execution.write('rounds/1/test/verdict.json', JSON.stringify(forged))
    await execution.step('deliver')
    const [found] = execution.result().checks ?? []
    assert.deepEqual([found?.startedAt, found?.exitCode, found?.reason], [undefined, undefined, 'gone'])
  })

  it('is told of by deliver alone: an agent that claims red checks has failed', async () => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'true')
    for (const step of ['prepare', 'agent'] as const) await execution.step(step)
    const error = { category: 'checks', message: 'check test is red' }
    const forged = JSON.stringify({ ...execution.outcome(), outcome: 'failed', error })
    execution.write('agent/outcome.json', forged)
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.equal(execution.result().error?.category, 'failed')
  })

  it('is ended by SIGTERM without a verdict', async () => {
    const execution = await staged({ test: 'touch begun; setsid sleep 1000 & sleep 1000' })
    const child = execution.startCheck('test')
    const ended = finish(child)
    await until('the check runs', () => existsSync(join(execution.folder, 'checkouts/test/repo/begun')))
    child.kill('SIGTERM')
    assert.equal((await ended).exitCode, 143)
    assert.equal(execution.exists('rounds/1/test/verdict.json'), false)
    assert.deepEqual(await leftBehind(execution), [])
  })

  it('runs once in a Job: a second start ends with what the first has found', async () => {
    const execution = await staged({ test: 'echo ran >> $HOME/runs' })
    await execution.check('test')
    await execution.check('test')
    assert.equal(readFileSync(join(execution.folder, 'checkouts/test/home/runs'), 'utf8'), 'ran\n')
  })

  it('is told in short as the container’s termination message', async () => {
    const execution = await staged({ test: 'exit 3' })
    await execution.check('test')
    const message = readFileSync(join(root, 'termination-check-test'), 'utf8')
    const { name, state, exitCode } = JSON.parse(message) as Record<string, unknown>
    assert.deepEqual([name, state, exitCode], ['test', 'Failed', 3])
    assert.ok(message.length <= 500)
  })

  it('finds none of what an earlier Job’s check has left', async () => {
    const execution = await staged({ test: 'ls ~ .; ! test -e left' })
    const results = join(execution.folder, 'rounds/1/test')
    mkdirSync(join(results, 'old'))
    for (const path of ['checkouts/test/repo/left', 'checkouts/test/home/left']) execution.write(path, '')
    const again = { jobNumber: 2, deliverOnly: true, keepClone: true }
    await execution.step('stage', again)
    await execution.check('test', again)
    assert.equal(existsSync(join(results, 'old')), false)
    assert.equal((await execution.step('deliver', again)).exitCode, 0)
  })
})
