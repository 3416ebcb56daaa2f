import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcessesByEnvironment, isGroupRunning } from '../../../lib/process.ts'
import { executionMark, runPaths } from '../../../runner/context.ts'
import { agent } from '../../../runner/steps/agent.ts'
import { manualClock } from '../../helpers/clock.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('the process of an agent', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const prepared = async (script: string, spec = {}) => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), script, spec)
    await execution.step('prepare')
    return execution
  }

  for (const [what, script] of [
    ['a command', 'echo before; cargo build'],
    ['its interpreter by name', '#!/usr/bin/env cargo\n'],
    ['its interpreter by path', '#!/home/me/.cargo/bin/cargo\n'],
  ] as const) {
    it(`says where on the machine ${what} of a script is that sandboxes do not show`, async () => {
      const { spec, outcome } = await prepared(script)
      const list = join(root, 'hidden-tools')
      writeFileSync(list, '/home/me/.pyenv/shims/xcargo\n/home/me/.cargo/bin/cargo\n')
      const env = { PATH: '/usr/bin:/bin', SLIPWAY_HIDDEN_TOOLS: list }
      const context = { run: spec, paths: runPaths(spec), clock: manualClock(), env, tmp: root }
      await agent({ ...context, signal: new AbortController().signal, say: () => undefined })
      const { error } = outcome()
      assert.equal(error?.category, 'failed')
      assert.match(error?.message ?? '', /cargo is in \/home\/me\/\.cargo\/bin, which sandboxes do not show: add that/)
    })
  }

  it('keeps binary output byte for byte, in the files and on its own output', async () => {
    const execution = await prepared(
      `head -c 300000 /dev/urandom | tee "$SERVICE_DROP_DIR/bytes"; printf '\\377\\0' >&2`,
    )
    const chunks: Buffer[] = []
    const child = execution.start('agent')
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    await finish(child)
    const expected = readFileSync(join(execution.volume, 'drops', 'bytes'))
    assert.ok(readFileSync(join(execution.folder, 'agent/stdout.log')).equals(expected))
    assert.ok(Buffer.concat(chunks).equals(expected))
    assert.deepEqual([...readFileSync(join(execution.folder, 'agent/stderr.log'))], [0xff, 0])
  })

  it('runs a script whose lines end as on Windows, with a shebang and without', async () => {
    for (const [execution, shebang] of [
      ['demo-1', ''],
      ['demo-2', '#!/bin/sh\r\n'],
    ] as const) {
      const script = `${shebang}set -e\r\nif true; then\r\n  printf %s ok\r\nfi\r\n`
      const made = makeExecution(root, { path: root }, script, { execution })
      mkdirSync(made.clone, { recursive: true })
      await made.step('agent')
      assert.equal(made.read('agent/stdout.log'), 'ok')
    }
  })

  it('can open its output by name', async () => {
    const execution = await prepared('set -e; echo 1 >/dev/stdout; echo 2 >/dev/stderr; echo 3 | tee /dev/stderr')
    assert.equal((await execution.step('agent')).exitCode, 0)
    assert.equal(execution.outcome().outcome, 'succeeded')
    assert.deepEqual([execution.read('agent/stdout.log'), execution.read('agent/stderr.log')], ['1\n3\n', '2\n3\n'])
  })

  it('loses no line of a script that ends at once', async () => {
    const execution = await prepared('echo 1; echo 2 >&2')
    for (let jobNumber = 1; jobNumber <= 10; jobNumber += 1) await execution.step('agent', { jobNumber })
    assert.equal(execution.read('agent/stdout.log'), '1\n'.repeat(10))
    assert.equal(execution.read('agent/stderr.log'), '2\n'.repeat(10))
  })

  it('cuts a log at its limit with a marker while the agent goes on', async () => {
    const execution = await prepared('head -c 5000000 /dev/zero; echo done > "$SERVICE_SUMMARY_FILE"', {
      maxLogBytes: 100_000,
    })
    await execution.step('agent')
    const log = readFileSync(join(execution.folder, 'agent/stdout.log'))
    assert.equal(
      log.subarray(0, 100_000).every((byte) => byte === 0),
      true,
    )
    assert.match(log.subarray(100_000).toString(), /^\n\[slipway: cut here, the limit is 100000 bytes.*\]\n$/)
    assert.deepEqual([execution.outcome().outcome, execution.outcome().summary], ['succeeded', 'done'])
  })

  it('slows the agent down, losing nothing, while nobody reads the pod log', async () => {
    const execution = await prepared('head -c 20000000 /dev/zero', { maxLogBytes: 30_000_000 })
    const child = execution.start('agent')
    await until(
      'the agent has begun to print',
      () => execution.exists('agent/stdout.log') && execution.read('agent/stdout.log').length > 0,
    )
    assert.ok(readFileSync(join(execution.folder, 'agent/stdout.log')).length < 20_000_000)
    await finish(child)
    assert.equal(readFileSync(join(execution.folder, 'agent/stdout.log')).length, 20_000_000)
  })

  it('survives a pod log whose reader is gone', async () => {
    const execution = await prepared('head -c 5000000 /dev/zero; true')
    const child = execution.start('agent')
    child.stdout?.destroy()
    child.stderr?.destroy()
    assert.equal((await finish(child)).exitCode, 0)
    assert.equal(readFileSync(join(execution.folder, 'agent/stdout.log')).length, 5_000_000)
  })

  it('ends with the script, taking with it what the script left running', async () => {
    const execution = await prepared(
      'sleep 600 & echo $! > "$SERVICE_DROP_DIR/pid"; setsid sleep 600 & echo $! > "$SERVICE_DROP_DIR/escaped"',
    )
    assert.equal((await execution.step('agent')).exitCode, 0)
    for (const name of ['pid', 'escaped']) {
      const pid = Number(readFileSync(join(execution.volume, 'drops', name), 'utf8'))
      assert.equal(isRunning(pid), false, `${name} still runs`)
    }
    assert.equal(execution.outcome().outcome, 'succeeded')
  })

  it('leaves alone what an execution of the same name started elsewhere on the machine', async () => {
    const other = spawn('sleep', ['600'], { env: { ...process.env, SERVICE_EXECUTION_ID: 'demo-1' }, stdio: 'ignore' })
    try {
      const execution = await prepared('true')
      await execution.step('agent')
      assert.equal(execution.spec.execution, 'demo-1')
      assert.ok(isRunning(other.pid ?? 0))
    } finally {
      other.kill('SIGKILL')
    }
  })

  it('times out, although the script forks and ignores SIGTERM', async () => {
    const script = `trap '' TERM; (trap '' TERM; setsid bash -c "trap '' TERM; while :; do sleep 1; done") & while :; do sleep 1; done`
    const execution = await prepared(`echo $$ > "$SERVICE_DROP_DIR/pid"; ${script}`)
    // In this process, because only so can the clock stand still until the script has begun.
    const run = { ...execution.spec, timeoutSeconds: 30 }
    const clock = manualClock()
    const context = { run, paths: runPaths(run), clock, env: process.env, tmp: root }
    let exitCode: number | undefined
    const ended = agent({ ...context, signal: new AbortController().signal, say: () => undefined }).then(
      (code) => (exitCode = code),
    )
    const pidFile = join(execution.volume, 'drops', 'pid')
    await until('the script has begun', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
    await clock.advance(29_000)
    assert.equal(exitCode, undefined)
    await until('the agent has been ended', async () => {
      await clock.advance(300)
      return exitCode !== undefined
    })
    await ended
    const { outcome, error } = execution.outcome()
    assert.deepEqual([exitCode, outcome, error?.category], [0, 'timed_out', 'timeout'])
    const pid = Number(readFileSync(pidFile, 'utf8'))
    assert.equal(await isGroupRunning(pid), false)
    const mark = executionMark(context)
    assert.deepEqual(await findProcessesByEnvironment(mark.name, mark.value), [])
  })

  it('is waited for after it closed its output', async () => {
    const execution = await prepared('exec >&- 2>&-; sleep 0.3; exit 7')
    await execution.step('agent')
    assert.equal(execution.outcome().exitCode, 7)
  })

  it('is cancelled by SIGTERM and writes that down', async () => {
    const execution = await prepared('echo begun; sleep 600')
    const child = execution.start('agent')
    const end = finish(child)
    await until(
      'the script has begun',
      () => execution.exists('agent/stdout.log') && execution.read('agent/stdout.log') !== '',
    )
    child.kill('SIGTERM')
    assert.equal((await end).exitCode, 0)
    assert.deepEqual([execution.outcome().outcome, execution.outcome().error?.category], ['cancelled', 'cancelled'])
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.equal(execution.result().outcome, 'cancelled')
  })

  it('is a failure that names the cause when the interpreter is missing', async () => {
    const execution = await prepared('#!/no/such/interpreter\n')
    await execution.step('agent')
    assert.match(execution.outcome().error?.message ?? '', /interpreter/)
  })

  it('is a failure told by the signal when something killed the script', async () => {
    const execution = await prepared('kill -9 $$')
    await execution.step('agent')
    assert.equal(execution.outcome().error?.message, 'the script was ended by SIGKILL')
  })

  it('wakes its parent that the agent has stopped, so that the step ends', async () => {
    const script = 'kill -STOP "$(cut -d" " -f4 "/proc/$PPID/stat")"'
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), script)
    await execution.step('prepare')
    const child = execution.start('agent', {}, ['bash', '-c', '"$@"; exit $?', 'parent'])
    assert.equal((await finish(child)).exitCode, 0)
    assert.equal(execution.outcome().outcome, 'succeeded')
  })
})

function isRunning(pid: number): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0]
    return state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
