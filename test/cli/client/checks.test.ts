import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checksCommand } from '../../../cli/commands/checks.ts'
import { DECISION_COMMANDS } from '../../../cli/commands/decisions.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import type { CheckRun } from '../../../core/crd/types.ts'
import { checkOutputPath } from '../../../core/execution/layout.ts'
import { clip } from '../../../core/text.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask, anExecution, text } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { runCommand } from './run-command.ts'

const RED: CheckRun = { name: clip('test', 40), state: 'Failed', round: 1, exitCode: 1, seconds: 12 }
const GREEN: CheckRun = { ...RED, name: clip('lint', 40), state: 'Passed', exitCode: 0, required: false }

describe('checks on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const given = async (name: string): Promise<void> => {
    const execution = `${name}-1`
    const error = { category: 'checks', message: text('check test is red') } as const
    const checks = [RED, GREEN, { ...RED, round: 2 }]
    await api.givenExecution(anExecution({ name: execution, status: { state: 'FAILED', error, rounds: 2, checks } }))
    await api.given(aTask({ name, status: { state: 'FAILED', execution, error, checks: [RED, GREEN] } }))
  }
  const checks = (...words: string[]) => runCommand(checksCommand, words, api.url)
  const waive = (...words: string[]) => {
    const command = DECISION_COMMANDS.find(({ name }) => name === 'waive')
    assert.ok(command !== undefined)
    return runCommand(command, words, api.url)
  }

  it('are listed with each round', async () => {
    await given('listed')
    assert.equal(
      (await checks('listed')).out,
      [
        'CHECK   ROUND   STATE                   COMMIT   REASON\n',
        'test    1       Red, exit code 1, 12s\n',
        'lint    1       Green, 12s, optional\n',
        'test    2       Red, exit code 1, 12s\n',
      ].join(''),
    )
    assert.match((await checks('listed', '--round', '2')).out, /^CHECK.*\ntest {4}2.*\n$/)
    await assert.rejects(checks('listed', '--round', '3'), { name: 'UsageError', message: /has no round 3/ })
    await assert.rejects(checks('listed', '--round', 'x'), { name: 'UsageError', message: /--round is a number/ })
  })

  it('show what one printed, in its last round or the one that is named', async () => {
    await given('printed')
    for (const round of [1, 2]) {
      const path = join(api.volumeRoot, checkOutputPath('printed-1', { round, name: RED.name }))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `round ${round}\u001b[31m red\n`)
    }
    const { out } = await checks('printed', '--log', 'test')
    assert.equal(out, 'round 2 red\n')
    assert.match((await checks('printed', '--log', 'test', '--round', '1')).out, /^round 1/)
    await assert.rejects(checks('printed', '--log', 'x'), {
      name: 'UsageError',
      message: /no check x ran; there is test, lint/,
    })
  })

  it('say that nothing was checked', async () => {
    await api.given(aTask({ name: 'bare', status: { state: 'READY' } }))
    assert.match((await checks('bare')).out, /^bare was not checked/)
  })

  it('are waived with a reason, which show tells with the rest', async () => {
    await given('waived')
    const before = await runCommand(showCommand, ['waived'], api.url)
    assert.match(before.out, /waived FAILED: test is red/)
    assert.match(before.out, /slipway checks waived\n.*slipway revise[^]*slipway waive waived -m/)
    await assert.rejects(waive('waived'), { name: 'UsageError', message: /say why/ })
    const { code, out } = await waive('waived', '-m', 'the test server is down')
    assert.deepEqual([code, out], [0, 'waived: task queued for delivery\n'])
    assert.equal(at((await api.get('/api/tasks/waived')).body, 'state'), 'QUEUED')
    const after = await runCommand(showCommand, ['waived'], api.url)
    assert.match(after.out, /checks waived by .*: the test server is down/)
  })
})
