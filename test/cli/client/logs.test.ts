import assert from 'node:assert/strict'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { logsCommand } from '../../../cli/commands/logs.ts'
import type { Execution } from '../../../core/crd/types.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anAgent, anExecution, aTask, text } from '../../helpers/build.ts'
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
    const error = { category: 'failed', message: text('the script exited 7') } as const
    await given('broken', 'script', { state: 'FAILED', exitCode: 7, error })
    const reason = '  failed: the script exited 7\n'
    assert.equal((await logs('broken')).err, `broken-1 FAILED (exit code 7): no output\n${reason}`)
    await write('broken-1', 'stdout', 'half\n')
    assert.deepEqual(await logs('broken'), { code: 0, out: 'half\n', err: `broken-1 FAILED (exit code 7)\n${reason}` })
  })

  it('says that an agent ended before its first word, and why', async () => {
    const error = { category: 'git', message: text('the repository cannot be cloned') } as const
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

  const asks: NonNullable<Execution['status']> = {
    state: 'BLOCKED',
    questions: [{ text: text('Which?\u001b[2J'), options: ['Left', 'Right'] }],
  }
  const answered: Partial<Execution['spec']> = {
    purpose: 'Resume',
    answer: { text: 'Right', by: 'kim', at: '2026-11-21T12:05:00.123456Z' },
  }
  const givenAnswered = async (name: string, agent: string): Promise<void> => {
    await api.givenExecution(anExecution({ name: `${name}-1`, spec: { agent }, status: asks }))
    const spec = { agent, ...answered, resumes: `${name}-1` }
    await api.givenExecution(anExecution({ name: `${name}-2`, spec, status: { state: 'COMPLETED' } }))
    const status = { state: 'READY', execution: `${name}-2`, executions: 2, agent: { type: agent } } as const
    await api.given(aTask({ name, status }))
  }
  const asked = '  ? Which?[2J\n    1. Left\n    2. Right\n'
  const answer = '  > Right\n    answered by kim, 2026-11-21T12:05:00Z\n'
  const says = (text: string): string => `${JSON.stringify({ at: AT, kind: 'text', text })}\n`

  it('shows a question where it was asked, and its answer where the work went on', async () => {
    await givenAnswered('chosen', 'claude')
    await write('chosen-1', 'events', says('I must know.'))
    await write('chosen-2', 'events', says('Right it is.'))
    assert.deepEqual(await logs('chosen'), { code: 0, out: `I must know.\n${asked}${answer}Right it is.\n`, err: '' })
  })

  it('keeps questions and answers out of what a script printed', async () => {
    await givenAnswered('picked', 'script')
    await write('picked-1', 'stdout', 'one\n')
    await write('picked-2', 'stdout', 'two\n')
    assert.deepEqual(await logs('picked'), { code: 0, out: 'one\ntwo\n', err: `${asked}${answer}` })
    const read = JSON.parse((await logs('picked', '-o', 'json')).out)
    assert.deepEqual(read, { stdout: 'two\n', stderr: '' })
  })

  it('shows what its agent was asked to change, and not the work that was to be changed', async () => {
    await givenAnswered('changed', 'claude')
    const revision = { text: 'Say two.', by: 'lee', at: '2026-11-21T13:00:00Z' }
    const spec = { agent: 'claude', purpose: 'Resume', resumes: 'changed-2', revision } as const
    await api.givenExecution(anExecution({ name: 'changed-3', spec, status: { state: 'COMPLETED' } }))
    await api.setStatus(TASKS, 'changed', { state: 'READY', execution: 'changed-3', agent: { type: 'claude' } })
    await write('changed-3', 'events', says('Two.'))
    const shown = '  > Say two.\n    asked for by lee, 2026-11-21T13:00:00Z\nTwo.\n'
    await until('it is known', async () => (await logs('changed')).out === shown)
  })

  it('says who asked last where several did, below whose names each wish stands', async () => {
    await givenAnswered('twice', 'claude')
    const text = 'Asked for by ann:\n\nSay two.\n\nAsked for later by lee:\n\nSay three.'
    const revision = { text, by: 'lee', at: '2026-11-21T13:00:00Z' }
    const spec = { agent: 'claude', purpose: 'Resume', resumes: 'twice-2', revision } as const
    await api.givenExecution(anExecution({ name: 'twice-3', spec, status: { state: 'COMPLETED' } }))
    await api.setStatus(TASKS, 'twice', { state: 'READY', execution: 'twice-3', agent: { type: 'claude' } })
    await until('it is known', async () =>
      /Say two\.[^]*lee:[^]* last asked for by lee, /.test((await logs('twice')).out),
    )
  })

  it('shows both to who follows, and begins behind an execution that was deleted', async () => {
    await givenAnswered('joined', 'claude')
    await write('joined-1', 'events', says('I must know.'))
    await write('joined-2', 'events', says('Right it is.'))
    const whole = `I must know.\n${asked}${answer}Right it is.\n`
    assert.ok((await logs('-f', 'joined')).out.startsWith(whole))
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: 'joined-1' })
    await until('it is gone', async () => (await api.get('/api/executions/joined-1')).status === 404)
    assert.equal((await logs('joined')).out, `${answer}Right it is.\n`)
  })

  it('says that a followed script printed nothing', async () => {
    await given('watched', 'script', { state: 'COMPLETED' })
    const { out, err } = await logs('-f', 'watched')
    assert.match(out, /^\nwatched READY\n/)
    assert.match(err, /watched-1: no output\n$/)
  })
})
