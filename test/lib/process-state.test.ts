import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type ChildProcess, spawn } from 'node:child_process'
import * as fc from 'fast-check'
import { isProcessAlive, parseStat, readStat } from '../../lib/process-state.ts'
import { until } from '../helpers/until.ts'
import { startUnwaited } from '../helpers/unwaited.ts'

/** A line as proc(5) has it; num_threads is field 20, starttime field 22. */
const line = (name: string, state: string, threads: number): string =>
  `77 (${name}) ${state} 1 70 60 0 -1 4194304 1 0 0 0 5 6 0 0 20 0 ${threads} 0 123456 1000 200 1\n`

describe('what the kernel tells of a process', () => {
  it('is read behind the program’s name, whatever that holds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (name) => {
        assert.deepEqual(parseStat(line(name, 'S', 1)), { isDead: false, pgid: 70, session: 60, startTime: '123456' })
      }),
    )
  })

  for (const [state, threads, isDead] of [
    ['R', 1, false],
    ['D', 1, false],
    ['Z', 1, true],
    ['X', 1, true],
    ['Z', 3, false],
  ] as const) {
    it(`takes state ${state} with ${threads} threads for ${isDead ? 'dead' : 'alive'}`, () => {
      assert.equal(parseStat(line('node', state, threads))?.isDead, isDead)
    })
  }

  it('is nothing when the line is cut', () => {
    assert.equal(parseStat('77 (node) S 1'), undefined)
  })
})

describe('a process', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  function start(command: string): ChildProcess {
    const child = spawn(command, ['60'], { stdio: 'ignore' })
    children.push(child)
    return child
  }

  it('is alive from its start to its end, and never by another’s start time', async () => {
    const child = start('sleep')
    const pid = child.pid ?? 0
    const startTime = readStat(pid)?.startTime
    assert.deepEqual([isProcessAlive(pid), isProcessAlive(pid, startTime)], [true, true])
    if (startTime !== undefined) assert.equal(isProcessAlive(pid, '1'), false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(isProcessAlive(pid), false)
  })

  it('that nobody waited for is not alive', async function () {
    if (!existsSync('/proc/self/stat')) this.skip()
    const { parent, pid } = await startUnwaited('sleep', ['0.2'])
    children.push(parent)
    await until('the child has ended', () => !isProcessAlive(pid))
    assert.ok(readStat(pid)?.isDead, 'the kernel still lists it')
    assert.equal(process.kill(pid, 0), true)
  })

  for (const pid of [0, -1, 1.5, Number.NaN])
    it(`of the id ${pid} does not exist`, () => assert.equal(isProcessAlive(pid), false))
})
