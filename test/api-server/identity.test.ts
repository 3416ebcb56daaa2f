import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { EVENTS } from '../../kube/resources.ts'
import { aTask } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import type { Rig } from './rig.ts'
import { startRig } from './rig.ts'

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

  it('is in an Event of a moved story and of an undrained agent', async () => {
    await api.post('/api/stories', { id: 'moved', name: 's' }, alice)
    const { body } = await api.put('/api/stories/moved/status', { status: 'BACKLOG' }, alice)
    assert.equal(at(body, 'status'), 'BACKLOG')
    await until('an Event on the story', async () => {
      const { items } = await api.client.list(EVENTS, { namespace: api.namespace })
      return items.some(
        ({ involvedObject, message = '' }) => involvedObject.name === 'moved' && message.endsWith(' by alice'),
      )
    })
    await api.post('/api/pool/agents/script/undrain', undefined, alice)
    await isTold('script', 'Undrained', 'agent undrained by alice')
  })
})
