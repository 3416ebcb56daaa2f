import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { type Program, PATIENCE_MS, startProgram } from '../contract/program.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { processesOf } from './installation.ts'

const DRAFT = { name: 'Print CSV', description: 'In report.ts.' }
const PLAN = {
  name: 'Exports',
  branch_name: 'story/exports',
  spec: 'In the clone there are: FILES',
  acceptance_criteria: ['CSV is printed'],
  tasks: [{ name: 'Write', description: 'In report.ts.', subtasks: [] }],
  validation: { type: 'test', steps: ['npm test'], success_criteria: 'All pass.' },
}

/** What the stand-in for Claude Code says at its end: each time the same, or the second when it is asked again. */
const says = (first: unknown, second?: unknown): string => {
  const text = (answer: unknown) => (typeof answer === 'string' ? answer : JSON.stringify(answer))
  return `ANSWER-WITH ${text(first)}${second === undefined ? '' : ` THEN ${text(second)}`}`
}

describe('elaboration in the built program', function () {
  let program: Program
  let workspace: string

  before(async () => {
    program = await startProgram()
    workspace = join(program.installation.dataDir, 'workspace')
    const project = { id: 'sample', name: 'Sample', remote_url: program.remote.path }
    assert.equal((await program.server.call('POST', '/api/projects', project)).status, 201)
  })
  after(() => program.dispose())

  const call = (method: string, path: string, body?: unknown) => program.server.call(method, path, body)
  /** Newest first. */
  async function queries(): Promise<Readonly<Record<string, unknown>>[]> {
    const list: unknown = JSON.parse((await call('GET', '/api/executions')).text)
    return Array.isArray(list) ? list.map(asRecord).filter(({ task_id: task }) => task === undefined) : []
  }

  it('turns a request into a task that is created as it is, by an execution that can be looked at', async () => {
    const { status, body, text } = await call('POST', '/api/tasks/elaborate', {
      prompt: says({ ...DRAFT, description: 'There: FILES' }),
      project: 'sample',
    })
    assert.equal(status, 200, text)
    assert.equal(body['description'], 'There: README.md')
    assert.equal((await call('POST', '/api/tasks', body)).status, 201)
    const [execution] = await queries()
    const id = String(execution?.['id'])
    assert.deepEqual(
      ['purpose', 'state', 'agent', 'cost_usd'].map((field) => execution?.[field]),
      ['elaborate', 'COMPLETED', 'claude', 0.25],
    )
    assert.match((await call('GET', `/api/executions/${id}/stdout`)).text, /"type":"result"/)
    assert.match((await call('GET', `/api/executions/${id}/events`)).text, /"kind":"result"/)
    const { body: stats } = await call('GET', '/api/stats?window=24h')
    assert.equal(asRecord(stats['billing'])['total_7d_usd'], 0.25)
    const hours: unknown = stats['throughput']
    assert.ok(Array.isArray(hours) && hours.map(asRecord).every((hour) => hour['completed'] === 0))
  })

  it('plans a story in the folder of its project, changes nothing there, and is approved as it is', async () => {
    mkdirSync(workspace, { recursive: true })
    const folder = join(workspace, 'local')
    execFileSync('git', ['clone', '-q', makeRemote(join(workspace, '.remote'), { 'here.txt': '1' }).path, folder])
    const project = { id: 'local', name: 'Local', remote_url: program.remote.path, local_path: folder }
    assert.equal((await call('POST', '/api/projects', project)).status, 201)
    const request = { prompt: says(PLAN), project_id: 'local' }
    const { status, body, text } = await call('POST', '/api/stories/elaborate', request)
    assert.equal(status, 200, text)
    assert.deepEqual(body, { ...PLAN, spec: 'In the clone there are: here.txt' })
    assert.equal(execFileSync('git', ['-C', folder, 'status', '--porcelain'], { encoding: 'utf8' }), '')
    const approved = await call('POST', '/api/stories/approve', { ...body, project_id: 'local' })
    assert.equal(approved.status, 201, approved.text)
    assert.equal(program.remote.git('rev-parse', 'story/exports'), program.remote.git('rev-parse', 'main'))
  })

  it('succeeds when the second answer is of use, for which the agent was told what was wrong', async () => {
    const { status, body, text } = await call('POST', '/api/tasks/elaborate', {
      prompt: says({ name: 'Without a description' }, DRAFT),
    })
    assert.equal(status, 200, text)
    assert.equal(body['description'], DRAFT.description)
  })

  it('is 422 when the second answer is of no use either, and says what was wrong', async () => {
    const { status, text } = await call('POST', '/api/tasks/elaborate', { prompt: says({ name: 'Alone' }) })
    assert.equal(status, 422, text)
    assert.match(text, /description: is required/)
  })

  it('writes the request down in the folder that is named, and reads that', async () => {
    const folder = join(workspace, 'notes')
    execFileSync('git', ['clone', '-q', program.remote.path, folder])
    const prompt = says({ ...DRAFT, description: 'There: FILES' })
    const { status, body, text } = await call('POST', '/api/tasks/elaborate', { prompt, project_dir: folder })
    assert.equal(status, 200, text)
    assert.equal(body['description'], 'There: README.md')
    const narrative = readFileSync(join(folder, 'NARRATIVE.md'), 'utf8')
    assert.ok(narrative.includes(prompt), narrative)
  })
})

// With a bucket of tokens of its own: five requests in a row are all that one address may make.
describe('elaboration whose client goes away', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  it('ends with it', async () => {
    const { call } = program.server
    const gone = new AbortController()
    const url = new URL('/api/tasks/elaborate', program.server.program.url)
    const body = JSON.stringify({ prompt: 'TAKE-FOREVER' })
    const headers = { 'Content-Type': 'application/json' }
    const asked = fetch(url, { method: 'POST', headers, body, signal: gone.signal })
    let id = ''
    await until(
      'the agent works',
      async () => {
        const list: unknown = JSON.parse((await call('GET', '/api/executions')).text)
        id = String(Array.isArray(list) ? asRecord(list[0])['id'] : '')
        return processesOf(id).length > 0
      },
      PATIENCE_MS,
    )
    gone.abort()
    await assert.rejects(asked)
    const state = async () => (await call('GET', `/api/executions/${id}`)).body['state']
    await until('the execution is cancelled', async () => (await state()) === 'CANCELLED', PATIENCE_MS)
    await until('no process of it is left', () => processesOf(id).length === 0, PATIENCE_MS)
  })
})
