import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { EVENTS } from '../../../kube/resources.ts'
import { aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { connectLive } from '../live/live-client.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

const TOKENS = [{ name: 'alice', token: 'token-of-alice', scopes: ['read', 'decide', 'admin'] }] as const
const alice = { Authorization: 'Bearer token-of-alice' }

describe('who decided', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ token: 'token-of-all', tokens: TOKENS })
  })
  after(() => api.stop())

  const isTold = (object: string, reason: string, message: string): Promise<void> =>
    until(`an Event ${reason} on ${object}`, async () => {
      const { items } = await api.client.list(EVENTS, { namespace: api.namespace })
      return items.some(
        (event) =>
          event.involvedObject.name === object &&
          event.reason === reason &&
          event.message === message &&
          event.source?.component === 'slipway-api-server',
      )
    })

  it('is in the decisions, in an Event and in the live message of a task', async () => {
    await api.post('/api/tasks', { id: 'decided', name: 'x' }, alice)
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`, { headers: alice })
    const messages: { type: string; by?: string }[] = []
    socket.on('message', (text) => messages.push(JSON.parse((text as Buffer).toString())))
    await new Promise((resolve) => socket.once('open', resolve))
    await api.post('/api/tasks/decided/run', undefined, alice)
    await api.post('/api/tasks/decided/cancel', undefined, { Authorization: 'Bearer token-of-all' })
    await until('both are told', () => messages.filter(({ type }) => type === 'task_updated').length >= 2)
    socket.terminate()
    const told = messages.filter(({ type }) => type === 'task_updated').map(({ by }) => by)
    assert.deepEqual(told.slice(0, 2), ['alice', 'api'])
    await isTold('decided', 'Run', 'task queued for execution by alice')
    await isTold('decided', 'Cancel', 'task cancelled by api')
    const { body } = await api.get('/api/tasks/decided', alice)
    assert.deepEqual([at(body, 'decisions.0.by'), at(body, 'decisions.1.by')], ['alice', 'api'])
  })

  it('is not in a message that no decision caused', async () => {
    const task = aTask({ name: 'edited' })
    await api.post('/api/tasks', { id: task.metadata.name, name: 'x' }, alice)
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`, { headers: alice })
    const messages: { task_id?: string; by?: string }[] = []
    socket.on('message', (text) => messages.push(JSON.parse((text as Buffer).toString())))
    await new Promise((resolve) => socket.once('open', resolve))
    await api.put('/api/tasks/edited', { name: 'y' }, alice)
    await until('it is told', () => messages.some(({ task_id }) => task_id === 'edited'))
    socket.terminate()
    assert.ok(messages.every(({ by }) => by === undefined))
  })

  it('is in the decisions, in an Event and in the live message of a moved and of an accepted story', async () => {
    await api.post('/api/stories', { id: 'moved', name: 's', status: 'VALIDATING' }, alice)
    const live = await connectLive(api.url, '', alice)
    await api.put('/api/stories/moved/status', { status: 'REVIEW_READY' }, alice)
    await api.put('/api/stories/moved', { priority: 2 }, alice)
    const { body } = await api.post('/api/stories/moved/accept', undefined, { Authorization: 'Bearer token-of-all' })
    const told = () => live.messages.filter(({ type }) => type === 'story_updated')
    await until('all three are told', () => told().length >= 3)
    await live.close()
    assert.deepEqual(
      told().map(({ by }) => by),
      ['alice', undefined, 'api'],
    )
    await isTold('moved', 'Moved', 'story moved to REVIEW_READY by alice')
    await isTold('moved', 'Accept', 'story accepted by api')
    const made = itemsOf(at(body, 'decisions')).map((made) => [at(made, 'action'), at(made, 'status'), at(made, 'by')])
    assert.deepEqual(made, [
      ['move', 'REVIEW_READY', 'alice'],
      ['accept', 'DONE', 'api'],
    ])
  })

  it('is in the decisions, in an Event and in the live message of an undrained agent', async () => {
    const live = await connectLive(api.url, '', alice)
    await api.post('/api/pool/agents/script/undrain', undefined, alice)
    const told = () => live.messages.filter(({ type }) => type === 'agent_updated')
    await until('it is told', () => told().length >= 1)
    await live.close()
    assert.equal(told()[0]?.by, 'alice')
    await isTold('script', 'Undrained', 'agent undrained by alice')
    const { body } = await api.get('/api/agents/script', alice)
    assert.deepEqual([at(body, 'decisions.0.action'), at(body, 'decisions.0.by')], ['undrain', 'alice'])
  })
})
