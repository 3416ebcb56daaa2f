import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../lib/clock.ts'
import {
  endGroup,
  findGroup,
  findProcessesByEnvironment,
  findStartTime,
  isGroupRunning,
  signalGroup,
  signalProcess,
  startGroup,
} from '../../lib/process.ts'
import { until } from '../helpers/until.ts'

const env = { PATH: process.env['PATH'] ?? '' }

describe('a process group', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'process-test-'))
  })
  afterEach(() => rm(dir, { recursive: true }))

  /** Runs bash until it has said that it is ready. */
  async function bash(script: string, variables: Record<string, string> = {}): Promise<number> {
    const ready = join(dir, 'ready')
    const child = startGroup('bash', ['-c', script, 'bash', ready], { env: { ...env, ...variables } })
    assert.ok(child.pid)
    await until('the script is ready', () => existsSync(ready))
    return child.pid
  }
  const pidIn = async (name: string): Promise<number> => Number(await readFile(join(dir, name), 'utf8'))

  it('has the child as its leader, apart from our own group', async () => {
    const pid = await bash('touch "$1"; exec sleep 60')
    assert.equal(await findGroup(pid), pid)
    assert.notEqual(await findGroup(process.pid), pid)
    await endGroup(pid, { graceMs: 5_000, clock: systemClock })
  })

  it('ends by SIGTERM alone when all of it obeys, and nobody is killed', async () => {
    const pid = await bash('sleep 60 & touch "$1"; wait')
    let killed = false
    await endGroup(pid, { graceMs: 30_000, clock: systemClock, onKill: () => (killed = true) })
    assert.deepEqual([killed, await isGroupRunning(pid)], [false, false])
  })

  it('is killed after the grace when a fork ignores SIGTERM, though its leader has ended', async () => {
    const pid = await bash(`(trap '' TERM; echo $BASHPID >"${dir}/fork"; touch "$1"; while :; do sleep 1; done) & wait`)
    let killed = 0
    await endGroup(pid, { graceMs: 50, clock: systemClock, onKill: () => (killed += 1) })
    assert.equal(killed, 1)
    assert.equal(await findStartTime(await pidIn('fork')), undefined)
  })

  it('that has ended takes no signal and is ended at once', async () => {
    const child = startGroup('true', [], { env })
    await once(child, 'exit')
    assert.equal(signalGroup(child.pid ?? 0, 'SIGTERM'), false)
    await endGroup(child.pid ?? 0, { graceMs: 60_000, clock: systemClock })
  })

  it('gets exactly the environment it is given', async () => {
    const child = startGroup('/usr/bin/env', [], { env: { ONLY: 'this' }, stdio: ['ignore', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(child, 'close')
    assert.equal(Buffer.concat(chunks).toString(), 'ONLY=this\n')
  })

  for (const pid of [0, 1, -1, 1.5, Number.NaN]) {
    it(`refuses to signal ${pid}, which would reach far more than one group`, () => {
      assert.throws(() => signalGroup(pid, 0), RangeError)
      assert.throws(() => signalProcess(pid, 0), RangeError)
    })
  }

  describe('on a system with /proc', function () {
    before(function () {
      if (!existsSync('/proc/self/environ')) this.skip()
    })

    it('leaves a daemon behind that the variable in its environment finds', async () => {
      const mark = `test-${process.pid}`
      const daemon = `echo $BASHPID >"${dir}/daemon"; touch "$1"; exec sleep 60`
      const script = `set -m; ( ( ${daemon} ) & ) & wait`
      const leader = await bash(script, { MARK: mark })
      const pid = await pidIn('daemon')
      await until('the leader has ended', async () => (await findStartTime(leader)) === undefined)
      assert.notEqual(await findGroup(pid), leader)
      const found = () => findProcessesByEnvironment('MARK', mark)
      await until('what the daemon itself started has ended', async () => (await found()).length <= 1)
      assert.deepEqual(await found(), [pid])
      assert.deepEqual(await findProcessesByEnvironment('MARK', mark.slice(0, -1)), [])
      assert.deepEqual(await findProcessesByEnvironment('ARK', mark), [])
      signalProcess(pid, 'SIGKILL')
      await until('the daemon is gone', async () => (await findStartTime(pid)) === undefined)
    })

    it('tells two processes apart by their start times, and an ended one by having none', async () => {
      const child = startGroup('sleep', ['60'], { env })
      const pid = child.pid ?? 0
      const started = await findStartTime(pid)
      assert.match(started ?? '', /^\d+$/)
      assert.equal(await findStartTime(pid), started)
      await endGroup(pid, { graceMs: 5_000, clock: systemClock })
      assert.equal(await findStartTime(pid), undefined)
    })
  })
})
