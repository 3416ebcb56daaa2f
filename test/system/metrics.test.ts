/** One port, server and operator together, after a task has run. */
import assert from 'node:assert/strict'
import { parseExposition, sumOf } from '../helpers/exposition.ts'
import { printed } from '../helpers/slipway.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'
import { makeRemote } from '../helpers/repository.ts'

describe('the metrics port of serve', () => {
  let installation: Installation
  let server: Server
  let url: string

  before(async () => {
    installation = makeInstallation()
    server = await installation.start('--metrics-listen', '127.0.0.1:0')
    ;[, url = ''] = await printed(server.program, /metrics at (http:\S+\/metrics)/)
    const remote = makeRemote(installation.folder, { 'README.md': 'hello\n' })
    await server.create('measured', 'echo done > done.txt', { repository_url: remote.path })
    await server.run('measured')
    await server.reaches('measured', 'READY')
    await server.call('POST', '/api/tasks/measured/accept')
    await server.call('GET', '/api/nowhere/measured')
  })
  after(() => installation.dispose())

  it('counts what the operator did and what the API answered, without a name of a task or a path', async () => {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    const families = parseExposition(text)
    const sum = (name: string, labels: Record<string, string> = {}): number => sumOf(families, name, labels)
    assert.deepEqual(
      {
        leader: sum('slipway_leader'),
        executions: sum('slipway_executions_total', { agent: 'script', purpose: 'Run', state: 'COMPLETED' }),
        waits: sum('slipway_agent_queue_wait_seconds_count', { agent: 'script' }),
        untilRun: sum('slipway_task_state_duration_seconds_count', { state: 'PENDING' }),
        forAPerson: sum('slipway_task_state_duration_seconds_count', { state: 'READY' }),
        completed: sum('slipway_tasks', { state: 'COMPLETED' }),
        queued: sum('slipway_agent_queued_tasks', { agent: 'script' }),
        accepts: sum('slipway_http_request_duration_seconds_count', { operation: 'acceptTask', status: '200' }),
        unknown: sum('slipway_http_request_duration_seconds_count', { operation: 'none', status: '404' }),
      },
      {
        leader: 1,
        executions: 1,
        waits: 1,
        untilRun: 1,
        forAPerson: 1,
        completed: 1,
        queued: 0,
        accepts: 1,
        unknown: 1,
      },
    )
    assert.ok(sum('slipway_reconcile_total', { controller: 'task', outcome: 'done' }) > 0)
    assert.doesNotMatch(text, /measured|\/api\//)
  })

  it('answers nothing but GET /metrics', async () => {
    const elsewhere = await fetch(url.replace(/metrics$/, 'api/tasks'))
    const written = await fetch(url, { method: 'POST' })
    assert.deepEqual([elsewhere.status, written.status, written.headers.get('allow')], [404, 405, 'GET, HEAD'])
  })
})
