// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { LiveMessage } from '../../../core/rest/messages.ts'
import { compileCheck } from '../../../lib/validate.ts'
import { TASKS } from '../../../kube/resources.ts'
import { anExecution, aProject, text } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type LiveTestClient, connectLive } from './live-client.ts'
import { type Rig, startRig } from '../rig.ts'

describe('live messages over WebSocket', () => {
  let api: Rig
  const clients: LiveTestClient[] = []
  before(async () => {
    api = await startRig()
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await api.stop()
  })

  const connect = async (query = ''): Promise<LiveTestClient> => {
    const client = await connectLive(api.url, query)
    clients.push(client)
    return client
  }

  it('tells the life of a task: created, started once, asked, completed, deleted', async () => {
    const client = await connect()
    await api.post('/api/tasks', { id: 'seen', name: 'Seen' })
    await api.post('/api/tasks/seen/run')
    await api.setStatus(TASKS, 'seen', { state: 'RUNNING', execution: 'seen-1' })
    await api.setStatus(TASKS, 'seen', { state: 'RUNNING', execution: 'seen-1', branch: 'b' })
    await api.setStatus(TASKS, 'seen', {
      state: 'BLOCKED',
      execution: 'seen-1',
      question: { items: [{ text: text('?') }] },
    })
    await until('the question was told', () => client.types('seen').includes('task_question'))
    await api.post('/api/tasks/seen/cancel')
    await api.delete('/api/tasks/seen')
    await until('the deletion was told', () => client.types('seen').includes('task_deleted'))
    const special = client.types('seen').filter((type) => type !== 'task_updated')
    assert.deepEqual(special, ['task_created', 'task_started', 'task_question', 'task_completed', 'task_deleted'])
  })

  it('carries whole records that fit the message schema, under ids that differ', async () => {
    const client = await connect()
    await api.givenProject(aProject({ name: 'told' }))
    await api.givenExecution(anExecution({ name: 'told-1', status: { state: 'RUNNING' } }))
    await api.post('/api/tasks', { id: 'told', name: 'Told' })
    await api.post('/api/pool/agents/script/undrain')
    const wanted = ['project_updated', 'execution_updated', 'task_created', 'agent_updated']
    await until('all kinds were told', () => wanted.every((type) => client.types().includes(type)))
    const check = compileCheck(LiveMessage)
    for (const message of client.messages) assert.deepEqual(check(message), { ok: true, value: message })
    assert.equal(new Set(client.messages.map(({ id }) => id)).size, client.messages.length)
    const { task } = client.messages.find(({ type }) => type === 'task_created') ?? {}
    assert.deepEqual(task, (await api.get('/api/tasks/told')).body)
  })

  it('sends the types that were asked for, and no others', async () => {
    const client = await connect('?types=task_created,project_updated')
    await api.post('/api/tasks', { id: 'filtered', name: 'x' })
    await api.post('/api/tasks/filtered/run')
    await api.post('/api/tasks', { id: 'filtered-2', name: 'x' })
    await until('both creations were told', () => client.messages.length === 2)
    assert.deepEqual(client.types(), ['task_created', 'task_created'])
  })

  it('gives a client that comes back what it missed', async () => {
    const client = await connect()
    await api.post('/api/tasks', { id: 'missed-1', name: 'x' })
    await until('the first was told', () => client.types('missed-1').includes('task_created'))
    const { id } = client.messages.at(-1) ?? {}
    await client.close()
    await api.post('/api/tasks', { id: 'missed-2', name: 'x' })
    await api.post('/api/tasks', { id: 'missed-3', name: 'x' })
    const again = await connect(`?since=${id}`)
    const created = () => again.messages.filter(({ type }) => type === 'task_created').map(({ task_id }) => task_id)
    await until('the missed ones came', () => created().length >= 2)
    assert.deepEqual(created(), ['missed-2', 'missed-3'])
    assert.deepEqual(again.types('missed-1'), [])
  })

  it('tells a client with an unknown id to read again', async () => {
    const client = await connect('?since=of-another-server')
    await until('something came', () => client.messages.length > 0)
    assert.deepEqual(client.types(), ['resync'])
  })
})
