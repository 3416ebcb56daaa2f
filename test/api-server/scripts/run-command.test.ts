import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { runCommand } from '../../../api-server/scripts/process.ts'
import { systemClock } from '../../../lib/clock.ts'
import { failOnce, installFaults } from '../../helpers/file-faults.ts'
import { until } from '../../helpers/until.ts'
import { watchUnhandled } from '../../helpers/unhandled.ts'

describe('a script whose time is over while the processes of the machine cannot be listed', () => {
  let stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops) stop()
    stops = []
  })

  it('is ended all the same, and no rejection is unhandled', async () => {
    const unhandled = watchUnhandled()
    stops.push(unhandled.stop, installFaults())
    const failure = failOnce('readdir', '/proc')
    const command = { path: '/bin/sleep', args: ['60'], cwd: '/', env: { PATH: process.env['PATH'] ?? '' } }
    assert.equal(await runCommand(command, 100, systemClock), undefined)
    assert.ok(failure.isOver())
    assert.deepEqual(unhandled.reasons, [])
  })
})

describe('a script', () => {
  it('can open its output by name', async () => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const args = ['-c', 'echo 1 >/dev/stdout; echo 2 | tee /dev/stderr; exit 3']
    const end = await runCommand({ path: '/bin/sh', args, cwd: '/', env }, 60_000, systemClock)
    assert.deepEqual(end, { exitCode: 3, stdout: '1\n2\n', stderr: '2\n' })
  })

  it('that the system takes no arguments for leaves no file open', async () => {
    const command = { path: '/bin/true', args: ['x'.repeat(200_000)], cwd: '/', env: {} }
    const attempt = () => assert.rejects(runCommand(command, 60_000, systemClock), { code: 'E2BIG' })
    const countOpen = () => readdirSync('/proc/self/fd').length
    await attempt()
    const before = countOpen()
    for (let i = 0; i < 5; i++) await attempt()
    await until('the pipes are closed', () => countOpen() <= before)
  })

  it('that cannot be started is the error of the system', async () => {
    const command = { path: '/no/such/program', args: [], cwd: '/', env: {} }
    await assert.rejects(runCommand(command, 60_000, systemClock), { code: 'ENOENT' })
  })
})
