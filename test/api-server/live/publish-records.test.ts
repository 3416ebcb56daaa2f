// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { AGENTS, EXECUTIONS, LEASES, PROJECTS, STORIES, TASKS } from '../../../kube/resources.ts'
import { anAgent, anExecution, aProject, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type LiveTestClient, connectLive } from './live-client.ts'
import { type Rig, startRig } from '../rig.ts'

describe('what live messages tell', () => {
  let api: Rig
  let client: LiveTestClient
  before(async () => {
    api = await startRig()
    client = await connectLive(api.url)
  })
  after(async () => {
    await client.close()
    await api.stop()
  })
  const told = (type: string) => client.messages.filter((message) => message.type === type)

  it('that an agent has taken up a task and that others wait, though its object did not change', async () => {
    const status = () => told('agent_updated').at(-1)?.agent_record?.status
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'slipway-slot-script-1', namespace: api.namespace, labels: { 'slipway.dev/agent': 'script' } },
    }
    await api.given(aTask({ name: 'waits', status: { state: 'QUEUED', agent: { type: 'script' } } }))
    await until('one waits', () => status()?.queued === 1)
    const held = await api.client.create(LEASES, { ...lease, spec: { holderIdentity: 'busy-1' } })
    await until('it runs', () => status()?.state === 'running')
    assert.deepEqual([status()?.task_id, status()?.execution_id], ['busy', 'busy-1'])
    await api.client.delete(LEASES, held.metadata)
    await until('it is idle again', () => status()?.state === 'idle')
  })

  it('that the state of an agent is the same only once', async () => {
    const count = told('agent_updated').length
    for (let i = 0; i < 5; i++) await api.given(aTask({ name: `pending-${i}` }))
    await api.given(aTask({ name: 'last', status: { state: 'QUEUED', agent: { type: 'script' } } }))
    await until('the queue grew', () => told('agent_updated').at(-1)?.agent_record?.status.queued === 2)
    assert.equal(told('agent_updated').length, count + 1)
  })

  it('what the mirrors of a project take, under a tag of its own by which an edit is not refused', async () => {
    await api.givenProject(aProject({ name: 'mirrored' }))
    const path = '/api/projects/mirrored'
    const before = (await api.get(path)).headers.get('etag') ?? ''
    await api.setStatus(PROJECTS, 'mirrored', { mirrorBytes: 4096 })
    await until('it is told', () => told('project_updated').some(({ project }) => project?.mirror_bytes === 4096))
    const after = await api.get(path, { 'If-None-Match': before })
    assert.deepEqual([after.status, at(after.body, 'mirror_bytes')], [200, 4096])
    assert.equal((await api.put(path, { test_command: 'make' }, { 'If-Match': before })).status, 200)
  })

  it('that an execution, a project or an agent is gone, once each, with its ids', async () => {
    await api.givenExecution(anExecution({ name: 'gone-1' }))
    await api.givenProject(aProject({ name: 'gone' }))
    await api.givenAgent(anAgent({ name: 'gone' }))
    const { namespace } = api
    await api.client.delete(EXECUTIONS, { namespace, name: 'gone-1' })
    await api.client.delete(PROJECTS, { namespace, name: 'gone' })
    await api.client.delete(AGENTS, { namespace, name: 'gone' })
    const types = ['execution_deleted', 'project_deleted', 'agent_deleted']
    await until('all were told', () => types.every((type) => told(type).length > 0))
    const [execution, project, agent] = types.map((type) =>
      told(type).map((message) => ({ ...message, id: '', at: '' })),
    )
    assert.deepEqual(execution, [
      {
        id: '',
        at: '',
        type: 'execution_deleted',
        task_id: 'gone',
        execution_id: 'gone-1',
        agent: execution?.[0]?.agent,
      },
    ])
    assert.deepEqual(project, [{ id: '', at: '', type: 'project_deleted', project_id: 'gone' }])
    assert.deepEqual(agent, [{ id: '', at: '', type: 'agent_deleted', agent: 'gone' }])
  })

  it('that a story and its epic have moved on, though neither object changed', async () => {
    const made = await api.post('/api/epics', { id: 'e', name: 'E' })
    assert.equal(made.status, 201, made.text)
    assert.equal((await api.post('/api/stories', { id: 's', name: 'S', epic_id: 'e' })).status, 201)
    const stories = () => told('epic_updated').at(-1)?.epic?.stories
    const tasks = () => told('story_updated').at(-1)?.story?.tasks
    await until('the epic has a story', () => stories()?.total === 1)
    await api.given(aTask({ name: 'of-s', spec: { storyId: 's' }, status: { state: 'READY' } }))
    await until('the story has a task that is done', () => tasks()?.total === 1 && tasks()?.done === 1)
    assert.equal((await api.post('/api/stories/s/events', { kind: 'retro_captured', payload: { n: 1 } })).status, 201)
    await until('the event was told', () => told('story_event').length === 1)
    const [event] = told('story_event')
    assert.deepEqual([event?.story_id, event?.story_event?.kind], ['s', 'retro_captured'])
    await api.delete('/api/stories/s')
    await until('the end was told', () => told('story_deleted').length === 1 && stories()?.total === 0)
  })

  it('that nothing can be done any more about a failed task whose story is DONE, though the task did not change', async () => {
    assert.equal((await api.post('/api/stories', { id: 'over', name: 'Over' })).status, 201)
    await api.given(aTask({ name: 'hopeless', spec: { storyId: 'over' }, status: { state: 'FAILED' } }))
    const actions = () => told('task_updated').findLast(({ task_id }) => task_id === 'hopeless')?.task?.actions
    for (const status of ['IN_PROGRESS', 'SHIPPABLE', 'REVIEW_READY', 'DONE'] as const)
      await api.setStatus(STORIES, 'over', { status })
    await until('its record allows nothing', () => actions()?.length === 0)
  })

  it('that each execution of a task started, once', async () => {
    await api.given(aTask({ name: 'starts' }))
    for (const status of [
      { state: 'QUEUED' },
      { state: 'RUNNING', execution: 'starts-1' },
      { state: 'RUNNING', execution: 'starts-1', branch: 'b' },
      { state: 'FAILED', execution: 'starts-1' },
      { state: 'QUEUED', execution: 'starts-1' },
      { state: 'RUNNING', execution: 'starts-2' },
      { state: 'READY', execution: 'starts-2' },
    ] as const)
      await api.setStatus(TASKS, 'starts', status)
    const ofIt = () => client.messages.filter(({ task_id }) => task_id === 'starts')
    await until('it is READY', () => ofIt().at(-1)?.task?.state === 'READY')
    const started = ofIt().filter(({ type }) => type === 'task_started')
    assert.deepEqual(
      started.map(({ execution_id, task }) => [execution_id, task?.state]),
      [
        ['starts-1', 'RUNNING'],
        ['starts-2', 'RUNNING'],
      ],
    )
  })

  it('no record that is older than one of the same task before', async () => {
    await api.given(aTask({ name: 'changed' }))
    // Written through the server, which sees its own write before the watch tells of it, and behind its back.
    for (let i = 0; i < 10; i++) {
      const answer = api.put('/api/tasks/changed', { priority: i })
      await api.client.mergePatch(TASKS, { namespace: api.namespace, name: 'changed' }, { spec: { priority: 100 + i } })
      assert.equal((await answer).status, 200)
    }
    const records = () => client.messages.filter(({ task_id }) => task_id === 'changed').map(({ task }) => task)
    // Which of the last two writes came last is not known here, and a watch may tell of both only later.
    const { spec } = await api.client.get(TASKS, { namespace: api.namespace, name: 'changed' })
    await until('the last change was told', async () => {
      const { body } = await api.get('/api/tasks/changed')
      return at(body, 'priority') === spec.priority && JSON.stringify(records().at(-1)) === JSON.stringify(body)
    })
    const changes = records().map((task) => task?.priority)
    // Each write is told in the order of the control plane, so every value comes once and none comes back.
    const values = changes.filter((value, i) => value !== changes[i - 1])
    assert.equal(new Set(values).size, values.length, values.join())
  })
})
