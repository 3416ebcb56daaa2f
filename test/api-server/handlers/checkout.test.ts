// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aTask, anAgent, anExecution } from '../../helpers/build.ts'
import { textAt } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../rig.ts'

const SESSION = '47c9e0b2-3a0a-4c46-b164-356e5d5c1a85'

describe('a checkout over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('has the session of the agent that worked last, where a later run never came to its agent', async () => {
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    const task = aTask({
      name: 'task-c',
      spec: { repositoryUrl: '/srv/shop.git' },
      status: { state: 'FAILED', execution: 'task-c-2', executions: 2 },
    })
    const { uid } = (await api.given(task)).metadata
    const asked = { state: 'BLOCKED', sessionId: SESSION, agentOutcome: 'blocked' } as const
    await api.givenExecution(anExecution({ name: 'task-c-1', spec: { agent: 'claude' }, status: asked }))
    const spec = { agent: 'claude', purpose: 'Resume', resumes: 'task-c-1' } as const
    await api.givenExecution(anExecution({ name: 'task-c-2', spec, status: { state: 'FAILED' } }))
    const sandbox = join(api.volumeRoot, 'sandboxes', 'task-c')
    const sessions = join(sandbox, 'home', '.claude', 'projects', '-slipway')
    await mkdir(sessions, { recursive: true })
    await writeFile(`${sandbox}.owner`, JSON.stringify({ uid }))
    await writeFile(join(sessions, `${SESSION}.jsonl`), '{}\n')
    const { status, body } = await api.post('/api/tasks/task-c/checkout')
    assert.deepEqual([status, textAt(body, 'session.id')], [200, SESSION], JSON.stringify(body))
  })
})
