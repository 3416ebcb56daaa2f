import assert from 'node:assert/strict'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { followTask } from '../../../cli/client/follow.ts'
import { openSession } from '../../../cli/client/session.ts'
import type { OutputForm } from '../../../cli/client/output.ts'
import type { Terminal } from '../../../cli/command.ts'
import type { Task } from '../../../core/crd/types.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { systemClock } from '../../../lib/clock.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anAgent, anExecution, aTask, text } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'

const AT = '2026-11-21T12:00:00.000Z'

interface Seen {
  out: string
  err: string
}

describe('following a task in a terminal', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    await until('the server knows the agent', async () => (await api.get('/api/agents/claude')).status === 200)
  })
  after(() => api.stop())

  const write = async (execution: string, name: 'events' | 'stdout', text: string): Promise<void> => {
    await mkdir(join(api.volumeRoot, agentOutputPath(execution)), { recursive: true })
    await appendFile(join(api.volumeRoot, executionPath(execution), EXECUTION_FILES[name]), text)
  }
  const says = (text: string): string => `${JSON.stringify({ at: AT, kind: 'text', text })}\n`
  const given = async (name: string, agent: string): Promise<void> => {
    await api.givenExecution(anExecution({ name: `${name}-1`, status: { state: 'RUNNING' } }))
    const status: Task['status'] = { state: 'RUNNING', execution: `${name}-1`, executions: 1, agent: { type: agent } }
    await api.given(aTask({ name, spec: { agent: { type: agent } }, status }))
  }
  const end = async (name: string, agent: string, status: NonNullable<Task['status']>, run = 1): Promise<void> => {
    const execution = `${name}-${run}`
    await api.setStatus(EXECUTIONS, execution, { state: status.state === 'READY' ? 'COMPLETED' : 'BLOCKED' })
    await api.setStatus(TASKS, name, { execution, executions: run, agent: { type: agent }, ...status })
  }
  const follow = async (
    id: string,
    seen: Seen,
    more: { ask?: Terminal['ask']; signal?: AbortSignal; form?: OutputForm } = {},
  ) => {
    const { ask, signal = new AbortController().signal, form = 'table' } = more
    const terminal: Terminal = {
      out: (text) => void (seen.out += text),
      err: (text) => void (seen.err += text),
      ...(ask === undefined ? {} : { ask }),
    }
    const session = await openSession({ server: api.url, form, env: { SLIPWAY_TOKEN: 'unused-here' } })
    return followTask({ session, terminal, signal, clock: systemClock }, id)
  }

  it('shows what the agent says as it says it, and ends with the state, the summary and exit code 0', async () => {
    await given('told', 'claude')
    const seen = { out: '', err: '' }
    const followed = follow('told', seen)
    await write('told-1', 'events', says('I look at the file.\u001b[2J'))
    await until('the text was shown', () => seen.out.includes('I look at the file.'))
    await end('told', 'claude', {
      state: 'READY',
      summary: text('Added an entry.'),
      branch: 'slipway/told',
      costUSD: 0.12,
    })
    assert.equal(await followed, 0)
    assert.match(
      seen.out,
      /^I look at the file\.\[2J\n\ntold READY: branch slipway\/told, \$0\.12\n {2}Added an entry\.\n/,
    )
  })

  it('shows as a person’s words only what the record has, though it has that only since the follow began', async () => {
    const says = (more: object): string => `${JSON.stringify({ at: AT, kind: 'message', mode: 'steer', ...more })}\n`
    await given('spoken', 'claude')
    const seen = { out: '', err: '' }
    const followed = follow('spoken', seen)
    await write('spoken-1', 'events', says({ id: 'forged12', by: 'ada', text: 'Push it.' }))
    await until('the text was shown', () => seen.out.includes('Push it.'))
    const said = { id: 'abcd1234', by: 'ada', at: AT, mode: 'Steer' as const, text: text('Use tabs.') }
    await api.setStatus(EXECUTIONS, 'spoken-1', { state: 'RUNNING', messages: [said] })
    await until('the server has it', async () =>
      JSON.stringify((await api.get('/api/executions/spoken-1')).body).includes('Use tabs.'),
    )
    await write('spoken-1', 'events', says({ id: 'abcd1234', by: 'eve', text: 'Use spaces.' }))
    await until('the message was shown', () => seen.out.includes('Use'))
    await end('spoken', 'claude', { state: 'READY' })
    await followed
    assert.ok(seen.out.startsWith('  | Push it.\n> ada: Use tabs.\n'), seen.out)
  })

  it('shows the output of a script, which has no conversation', async () => {
    await given('printed', 'script')
    await write('printed-1', 'stdout', 'one\ntwo\n')
    const seen = { out: '', err: '' }
    const followed = follow('printed', seen)
    await until('the output was shown', () => seen.out.includes('one\ntwo\n'))
    await end('printed', 'script', { state: 'FAILED', error: { category: 'failed', message: text('exit 7') } })
    assert.equal(await followed, 1)
    assert.match(seen.out, /printed FAILED\n {2}failed: exit 7\n/)
  })

  it('asks the person what the task asks, answers it, and goes on with the next run', async () => {
    await given('asked', 'claude')
    const question = { items: [{ text: text('Which?'), options: ['Left', 'Right'] }], askedAt: AT }
    await end('asked', 'claude', { state: 'BLOCKED', question })
    const seen = { out: '', err: '' }
    const followed = follow('asked', seen, { ask: async () => '2' })
    await until('the answer is stored', async () => {
      const task = await api.client.get(TASKS, { namespace: api.namespace, name: 'asked' })
      return task.status?.state === 'QUEUED' && task.status.answer === 'Right'
    })
    await api.givenExecution(
      anExecution({ name: 'asked-2', spec: { taskRef: { name: 'asked' } }, status: { state: 'RUNNING' } }),
    )
    await api.setStatus(TASKS, 'asked', { state: 'RUNNING', execution: 'asked-2', executions: 2 })
    await write('asked-2', 'events', says('Right it is.'))
    await end('asked', 'claude', { state: 'READY' }, 2)
    assert.equal(await followed, 0)
    assert.match(seen.out, /Right it is\./)
    assert.match(seen.err, /asked asks:\n {2}\? Which\?\n {4}1\. Left\n {4}2\. Right\n/)
  })

  it('ends with exit code 3, the question and how to answer it where no person sits', async () => {
    await given('alone', 'claude')
    await end('alone', 'claude', { state: 'BLOCKED', question: { items: [{ text: text('Which?') }], askedAt: AT } })
    const seen = { out: '', err: '' }
    assert.equal(await follow('alone', seen), 3)
    assert.match(seen.out, /\? Which\?\n\nNext: slipway answer alone/)
  })

  it('leaves the task alone at Ctrl-C, and says how to come back and how to end it', async () => {
    await given('left', 'claude')
    const person = new AbortController()
    const seen = { out: '', err: '' }
    const followed = follow('left', seen, { signal: person.signal })
    await write('left-1', 'events', says('begun'))
    await until('it is shown', () => seen.out.includes('begun'))
    person.abort()
    assert.equal(await followed, 130)
    assert.match(seen.err, /its agent may go on spending.*slipway logs -f left\n.*slipway cancel left\n/)
    assert.match((await api.get('/api/tasks/left')).text, /"state":"RUNNING"/)
  })

  it('leaves a question open at Ctrl-C, and says how to answer it later', async () => {
    await given('open', 'claude')
    await end('open', 'claude', { state: 'BLOCKED', question: { items: [{ text: text('Which?') }], askedAt: AT } })
    const person = new AbortController()
    const ask = async () => {
      person.abort()
      return undefined
    }
    const seen = { out: '', err: '' }
    assert.equal(await follow('open', seen, { ask, signal: person.signal }), 130)
    assert.match(seen.out, /\nopen BLOCKED\n {2}\? Which\?\n\nNext: slipway answer open/)
  })

  it('writes nothing but the record to stdout where a program reads', async () => {
    await given('read', 'claude')
    await write('read-1', 'events', says('talk'))
    await end('read', 'claude', { state: 'READY' })
    const seen = { out: '', err: '' }
    assert.equal(await follow('read', seen, { form: 'json' }), 0)
    assert.equal(JSON.parse(seen.out).id, 'read')
    assert.match(seen.err, /talk/)
  })
})
