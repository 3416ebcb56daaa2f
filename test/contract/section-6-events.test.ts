/** Section 6, events that the server tells; the operator's part is written by hand. */
import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { TASKS } from '../../kube/resources.ts'
import { connectLive } from '../api-server/live/live-client.ts'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { aTask, anExecution, text } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { type PushService, aBrowser, startPushService } from '../helpers/push-service.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'
import { aCheckRun, aWorkflowRun } from './events.ts'

const PATIENCE_MS = 20_000
const now = () => new Date().toISOString().replace(/\.\d+/, '')

describe('the contract, section 6', function () {
  let service: PushService
  let api: Rig
  before(async () => {
    service = await startPushService('https')
    api = await startRig({ push: { allowPrivate: true, ca: service.ca, isOnlyServer: true } })
  })
  after(async () => {
    await api.stop()
    await service.stop()
  })

  /** Urgencies told to a browser of its own when a task moves to `status`. */
  async function urgencyOf(name: string, status: TaskStatus): Promise<[unknown, unknown]> {
    const browser = aBrowser(`${service.url}/${name}`)
    assert.equal((await api.post('/api/push/subscribe', browser.subscription)).status, 201)
    await api.given(aTask({ name, status: { state: status.state === 'COMPLETED' ? 'READY' : 'RUNNING' } }))
    await api.setStatus(TASKS, name, status)
    const told = () =>
      service
        .at(`/${name}`)
        .map(({ headers, body }) => ({
          header: headers['urgency'],
          payload: browser.decrypt(body) as Record<string, unknown>,
        }))
        .find(({ payload }) => payload['task_id'] === name && payload['state'] === status.state)
    await until(`${name} is told`, () => told() !== undefined, PATIENCE_MS)
    await api.request('DELETE', '/api/push/subscribe', { endpoint: browser.subscription.endpoint })
    return [told()?.payload['urgency'], told()?.header]
  }

  row('6.task-started', 'is told once, with the RUNNING record, when a task moves to RUNNING', async () => {
    const live = await connectLive(api.url)
    await api.given(aTask({ name: 'starts', status: { state: 'QUEUED' } }))
    await api.givenExecution(anExecution({ name: 'starts-1', status: { state: 'RUNNING' } }))
    await api.setStatus(TASKS, 'starts', { state: 'RUNNING', execution: 'starts-1', executions: 1, startedAt: now() })
    await api.setStatus(TASKS, 'starts', { state: 'READY', execution: 'starts-1', executions: 1, finishedAt: now() })
    await until('its end is told', () => live.types('starts').includes('task_completed'), PATIENCE_MS)
    const started = live.messages.filter(({ type, task_id }) => type === 'task_started' && task_id === 'starts')
    assert.equal(started.length, 1)
    const message = JSON.parse(JSON.stringify(started[0]))
    assert.deepEqual([message.task.id, message.task.state, message.execution_id], ['starts', 'RUNNING', 'starts-1'])
    assert.deepEqual([typeof message.id, Number.isNaN(Date.parse(message.at))], ['string', false])
    await live.close()
  })

  row('6.broadcast', 'each kind of change has its type and carries the whole record', async () => {
    const live = await connectLive(api.url)
    await api.post('/api/projects', { id: 'told', name: 'Told', remote_url: 'https://git.example/r.git' })
    await api.post('/api/epics', { id: 'told-epic', name: 'Told' })
    await api.post('/api/stories', { id: 'told-story', name: 'Told', epic_id: 'told-epic' })
    await api.post('/api/stories/told-story/events', { kind: 'retro_captured', payload: { text: 'well' } })
    await api.post('/api/tasks', { id: 'told-task', name: 'Told' })
    await api.put('/api/tasks/told-task', { name: 'Told again' })
    await api.given(aTask({ name: 'told-asks', status: { state: 'RUNNING' } }))
    await api.setStatus(TASKS, 'told-asks', {
      state: 'BLOCKED',
      question: { items: [{ text: text('Which?') }], askedAt: now() },
    })
    await api.givenExecution(anExecution({ name: 'told-task-1', status: { state: 'RUNNING' } }))
    await api.put('/api/agents/script', { default_model: 'small' })
    await api.delete('/api/tasks/told-task')
    const types = [
      'task_created',
      'task_updated',
      'task_question',
      'task_deleted',
      'execution_updated',
      'story_updated',
      'story_event',
      'epic_updated',
      'project_updated',
      'agent_updated',
    ]
    const missing = () => types.filter((type) => !live.types().includes(type))
    await until('all types are told', () => missing().length === 0, PATIENCE_MS).catch(() =>
      assert.deepEqual(missing(), []),
    )
    const records = {
      task_created: 'task',
      story_updated: 'story',
      epic_updated: 'epic',
      project_updated: 'project',
      execution_updated: 'execution',
    }
    for (const [type, kind] of Object.entries(records)) {
      const message = JSON.parse(JSON.stringify(live.messages.find((one) => one.type === type)))
      assert.equal(typeof message[kind]?.id, 'string', type)
    }
    await live.close()
  })

  row(
    '6.story-events',
    'every kind but human_accepted can be recorded, is kept with its payload, newest first',
    async () => {
      await api.post('/api/stories', { id: 'events', name: 'Events', acceptance_criteria: ['It works.'] })
      const judged = { criterion: 'It works.', verdict: 'pass', decided: 'pass' }
      const kinds = ['eval_verdict', 'arbitration_decided', 'retro_captured', 'epic_proposed']
      for (const kind of kinds) {
        const { status, text } = await api.post('/api/stories/events/events', { kind, payload: { kind, ...judged } })
        assert.equal(status, 201, text)
      }
      assert.equal((await api.post('/api/stories/events/events', { kind: 'human_accepted', payload: {} })).status, 400)
      assert.equal((await api.post('/api/stories/events/events', { kind: 'party', payload: {} })).status, 400)
      const { status, body } = await api.get('/api/stories/events/events')
      assert.equal(status, 200)
      const told = itemsOf(body).map((event) => [at(event, 'kind'), at(event, ['payload', 'kind'])])
      assert.deepEqual(new Map(told as [string, string][]), new Map(kinds.map((kind) => [kind, kind])))
      assert.equal((await api.get('/api/stories/none/events')).status, 404)
    },
  )

  row('6.push.blocked', 'a question is urgent', async () => {
    const question = { items: [{ text: text('Which?') }], askedAt: now() }
    assert.deepEqual(await urgencyOf('blocked', { state: 'BLOCKED', question }), ['urgent', 'high'])
  })

  row('6.push.failed', 'a failure is high, a time-out and a used-up budget too', async () => {
    for (const state of ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'] as const) {
      const name = state.toLowerCase().replace('_', '-')
      assert.deepEqual(await urgencyOf(name, { state, finishedAt: now() }), ['high', 'high'])
    }
  })

  row('6.push.completed', 'a completed task is low, and one that is READY', async () => {
    for (const state of ['COMPLETED', 'READY'] as const)
      assert.deepEqual(await urgencyOf(state.toLowerCase(), { state, finishedAt: now() }), ['low', 'low'])
  })

  row('6.inbound', 'check_run and workflow_run make tasks, known by header or by shape', async () => {
    await api.post('/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://github.com/acme/shop.git' })
    for (const [event, headers] of [
      [aCheckRun('failure', { id: 21 }), { 'X-GitHub-Event': 'check_run' }],
      [aWorkflowRun('failure', { id: 22 }), { 'X-GitHub-Event': 'workflow_run' }],
      [aCheckRun('action_required', { id: 23 }), {}],
      [aWorkflowRun('startup_failure', { id: 24 }), {}],
    ] as const) {
      const { status, text } = await api.post('/api/webhooks/vcshost', event, headers)
      assert.equal(status, 201, text)
    }
  })
})
