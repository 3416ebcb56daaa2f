/** Section 8, and what sections 6 and 7 say of runs: the whole built program, an agent with a slot of its own per row. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { kindPath } from '../system/installation.ts'
import { row } from './contract.ts'
import { type Program, PATIENCE_MS, startProgram, waitsFor } from './program.ts'

type Record_ = Readonly<Record<string, unknown>>

describe('the contract, section 8: limits of runs', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  const drop = (name: string) => writeFileSync(join(program.installation.dataDir, 'volume', 'drops', name), '')
  const submit = (agent: string, id: string, script: string, fields = {}) =>
    program.submit(id, script, { agent: { type: agent, instructions: script }, ...fields })
  const agents = async () => {
    const { body } = await program.server.call('GET', '/api/agents/status')
    return body as { agents: Record_[]; events: Record_[] }
  }
  const agentStatus = async (id: string) => (await agents()).agents.find(({ agent }) => agent === id) ?? {}
  const fails = async (agent: string, id: string) => {
    await submit(agent, id, 'echo went wrong >&2; exit 1')
    return program.reaches(id, 'FAILED')
  }

  row('8.concurrency', 'of two tasks of one agent one runs; another agent runs beside them', async () => {
    await program.addAgent('single')
    await program.addAgent('beside')
    await submit('single', 'holder', waitsFor('release'))
    await program.server.reaches('holder', 'RUNNING', PATIENCE_MS)
    await submit('single', 'excess', 'true')
    await submit('beside', 'other', 'true')
    await program.reaches('other', 'READY')
    const excess = await program.server.task('excess')
    assert.deepEqual(
      [excess['state'], excess['waiting_for']],
      ['QUEUED', 'agent single is busy with holder; next in line'],
    )
    assert.equal((await agentStatus('single'))['queued'], 1)
  })

  row('8.requeue', 'an excess task starts within 30 s, at once when the slot is free', async () => {
    drop('release')
    await program.reaches('holder', 'READY')
    await program.reaches('excess', 'READY')
    const [freed, started] = await Promise.all(
      ['holder', 'excess'].map(async (id) => asRecord((await program.server.executions(id))[0])),
    )
    const gapMs = Date.parse(String(started?.['created_at'])) - Date.parse(String(freed?.['finished_at']))
    assert.ok(gapMs < 30_000, `${gapMs} ms`)
  })

  row(
    '8.drain',
    'a success resets the count; three failures in a row drain, ask a person, and undrain lifts it',
    async () => {
      await program.addAgent('weary')
      await fails('weary', 'fail-1')
      await fails('weary', 'fail-2')
      await submit('weary', 'good-1', 'true')
      await program.reaches('good-1', 'READY')
      await until('the count is 0', async () => (await agentStatus('weary'))['consecutive_failures'] === 0)
      await fails('weary', 'fail-3')
      assert.notEqual((await agentStatus('weary'))['state'], 'drained')
      await fails('weary', 'fail-4')
      const last = await fails('weary', 'fail-5')
      assert.match(String(last['question']), /weary/)
      const drained = await agentStatus('weary')
      assert.deepEqual([drained['state'], drained['consecutive_failures']], ['drained', 3])
      await submit('weary', 'after', 'true')
      assert.equal((await program.server.task('after'))['state'], 'QUEUED')
      assert.equal((await program.server.call('POST', '/api/pool/agents/weary/undrain')).status, 200)
      await program.reaches('after', 'READY')
      assert.equal((await program.server.task('fail-5'))['question'], undefined)
    },
  )

  row('8.attempts', 'a task with one attempt runs again each time a person says so', async () => {
    await program.addAgent('tried')
    await submit('tried', 'again', 'exit 1', { max_attempts: 1 })
    await program.reaches('again', 'FAILED')
    assert.equal((await program.server.call('POST', '/api/tasks/again/run?agent=tried')).status, 202)
    await until(
      'a second execution failed',
      async () => {
        const executions = await program.server.executions('again')
        return executions.length === 2 && executions.every(({ state }) => state === 'FAILED')
      },
      PATIENCE_MS,
    )
  })

  row('8.time-out', 'timeout_seconds of the task counts, 30 minutes else', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs'
    await program.addAgent('timed')
    for (const [id, fields, seconds] of [
      ['patient', {}, 1800],
      ['hasty', { timeout_seconds: 90 }, 90],
    ] as const) {
      await submit('timed', id, 'true', fields)
      await program.reaches(id, 'READY')
      // The second guard of the Job is the time-out and 40 minutes.
      const { body } = await program.server.kube.send('GET', `${jobs}/${id}-1-run`)
      assert.equal(at(body, ['spec', 'activeDeadlineSeconds']), seconds + 2400)
    }
  })

  row('8.auth-retry', 'a refused login is tried once more in the same execution, then fails', async () => {
    await submit('claude', 'locked-out', 'BAD-KEY')
    const task = await program.reaches('locked-out', 'FAILED')
    assert.equal(task['error_category'], 'auth')
    const executions = await program.server.executions('locked-out')
    assert.deepEqual(
      executions.map((execution) => execution['auth_retried']),
      [true],
    )
    const log = readFileSync(join(program.installation.dataDir, 'volume', 'drops', 'started.jsonl'), 'utf8')
    const session = String(executions[0]?.['session_id'])
    const starts = log.split('\n').filter((line) => line.includes('BAD-KEY') || line.includes(session))
    // The second time in the session that the first began.
    assert.deepEqual(
      starts.map((line) => line.includes('--resume')),
      [false, true],
    )
  })

  row('8.workspace-root', 'lists what is below the data folder when embedded', async () => {
    const folder = join(program.installation.dataDir, 'workspace', 'cloned')
    const listed = async () => (await program.server.call('GET', '/api/workspaces')).text
    mkdirSync(folder, { recursive: true })
    assert.deepEqual(JSON.parse(await listed()), [folder])
  })

  row('7.runtime.repository', 'a task without a repository fails with the words of the contract', async () => {
    await program.server.create('homeless', 'true')
    await program.server.run('homeless')
    const task = await program.reaches('homeless', 'FAILED')
    assert.deepEqual([task['error'], task['error_category']], ['task has no repository_url', 'no_repository'])
    const [execution] = await program.server.executions('homeless')
    assert.equal(execution?.['error'], 'task has no repository_url')
  })

  row('7.runtime.credentials', 'missing credentials fail at once, naming what is missing', async () => {
    const spec = { adapter: 'script', credentials: { secretName: 'not-there', env: [{ name: 'KEY', key: 'key' }] } }
    const agent = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Agent', metadata: { name: 'keyless' }, spec }
    await program.server.kube.send('POST', kindPath('agents'), agent)
    await until('the agent is there', async () => (await agentStatus('keyless'))['agent'] === 'keyless')
    await submit('keyless', 'no-key', 'true')
    const task = await program.reaches('no-key', 'FAILED')
    assert.equal(task['error_category'], 'credentials')
    assert.match(String(task['error']), /not-there/)
  })

  row('7.runtime.categories', 'git, timeout, rate_limit and quota are told apart', async () => {
    await program.addAgent('sorted')
    await submit('sorted', 'no-clone', 'true', { repository_url: join(program.installation.folder, 'missing.git') })
    await submit('sorted', 'too-slow', 'sleep 600', { timeout_seconds: 1 })
    await submit('claude', 'throttled', 'THROTTLED', { max_attempts: 1 })
    assert.equal((await program.reaches('no-clone', 'FAILED'))['error_category'], 'git')
    assert.equal((await program.reaches('too-slow', 'TIMED_OUT'))['error_category'], 'timeout')
    assert.equal((await program.reaches('throttled', 'FAILED'))['error_category'], 'rate_limit')
  })

  row(
    '6.quota',
    'a used-up quota is BUDGET_EXCEEDED with category quota, and holds the agent, not draining it',
    async () => {
      await program.addAgent('spent', { adapter: 'claude', credentials: {} })
      await submit('spent', 'used-up', 'HIT-LIMIT')
      const task = await program.reaches('used-up', 'BUDGET_EXCEEDED')
      assert.equal(task['error_category'], 'quota')
      await until('the agent waits', async () => (await agentStatus('spent'))['state'] === 'rate_limited', PATIENCE_MS)
      assert.equal((await agentStatus('spent'))['consecutive_failures'], 0)
    },
  )

  row('6.agent-events', 'the start of a limit and the recovery are told by agents status', async () => {
    const kinds = async () => (await agents()).events.filter(({ agent }) => agent === 'limited').map(({ kind }) => kind)
    await program.addAgent('limited', { adapter: 'claude', credentials: {} })
    await submit('limited', 'limits', 'HIT-LIMIT')
    await until('the start is told', async () => (await kinds()).includes('rate_limited'), PATIENCE_MS)
    // The limit passes: as the operator would see it at its time, an hour from now.
    const rateLimitedUntil = new Date(Date.now() - 1000).toISOString().replace(/\.\d+/, '')
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${kindPath('agents', 'limited')}/status`
    await program.server.kube.send('PATCH', path, { status: { rateLimitedUntil } }, headers)
    await until('the recovery is told', async () => (await kinds()).includes('recovered'), PATIENCE_MS)
    const [event] = (await agents()).events
    assert.deepEqual(Object.keys(event ?? {}).toSorted(), ['agent', 'at', 'kind', 'message'])
  })
})
