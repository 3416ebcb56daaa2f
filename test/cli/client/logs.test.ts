import assert from 'node:assert/strict'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { logsCommand } from '../../../cli/commands/logs.ts'
import type { Execution } from '../../../core/crd/types.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import type { Rig } from '../../api-server/rig.ts'
import { startRig } from '../../api-server/rig.ts'
import { anAgent, anExecution, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

const AT = '2026-11-21T12:00:00.000Z'

describe('slipway logs', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    await until('the server knows the agent', async () => (await api.get('/api/agents/claude')).status === 200)
  })
  after(() => api.stop())

  const write = async (execution: string, name: 'events' | 'stdout' | 'stderr', text: string): Promise<void> => {
    await mkdir(join(api.volumeRoot, agentOutputPath(execution)), { recursive: true })
    await appendFile(join(api.volumeRoot, executionPath(execution), EXECUTION_FILES[name]), text)
  }
  const given = async (name: string, agent: string, status: NonNullable<Execution['status']>): Promise<void> => {
    await api.givenExecution(anExecution({ name: `${name}-1`, spec: { agent }, status }))
    await api.given(aTask({ name, status: { state: 'READY', execution: `${name}-1`, agent: { type: agent } } }))
  }
  const logs = (...words: string[]) => runCommand(logsCommand, words, api.url)

  it('says on stderr that a script printed nothing', async () => {
    await given('quiet', 'script', { state: 'COMPLETED', exitCode: 0 })
    const err = 'quiet-1 COMPLETED (exit code 0): no output\n'
    assert.deepEqual(await logs('quiet'), { code: 0, out: '', err })
    await given('begins', 'script', { state: 'RUNNING' })
    assert.deepEqual(await logs('begins'), { code: 0, out: '', err: 'begins-1 RUNNING: no output yet\n' })
  })

  it('says why an execution failed, and leaves stdout to what it printed', async () => {
    const error = { category: 'failed', message: 'the script exited 7' } as const
    await given('broken', 'script', { state: 'FAILED', exitCode: 7, error })
    const reason = '  failed: the script exited 7\n'
    assert.equal((await logs('broken')).err, `broken-1 FAILED (exit code 7): no output\n${reason}`)
    await write('broken-1', 'stdout', 'half\n')
    assert.deepEqual(await logs('broken'), { code: 0, out: 'half\n', err: `broken-1 FAILED (exit code 7)\n${reason}` })
  })

  it('says that an agent ended before its first word, and why', async () => {
    const error = { category: 'git', message: 'the repository cannot be cloned' } as const
    await given('speechless', 'claude', { state: 'FAILED', error })
    const err = 'speechless-1 FAILED: no output\n  git: the repository cannot be cloned\n'
    assert.deepEqual(await logs('speechless'), { code: 0, out: '', err })
  })

  it('adds nothing to what was said, and nothing for a program', async () => {
    await given('told', 'claude', { state: 'COMPLETED' })
    await write('told-1', 'events', `${JSON.stringify({ at: AT, kind: 'text', text: 'Done.' })}\n`)
    assert.deepEqual(await logs('told'), { code: 0, out: 'Done.\n', err: '' })
    await given('read', 'script', { state: 'COMPLETED' })
    const { out, err } = await logs('read', '-o', 'json')
    assert.deepEqual([JSON.parse(out), err], [{ stdout: '', stderr: '' }, ''])
  })

  it('says that a followed script printed nothing', async () => {
    await given('watched', 'script', { state: 'COMPLETED' })
    const { out, err } = await logs('-f', 'watched')
    assert.match(out, /^\nwatched READY\n/)
    assert.match(err, /watched-1: no output\n$/)
  })
})
