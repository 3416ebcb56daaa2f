// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { aTask } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { openEvents } from './streams/event-source.ts'
import { itemsOf, startRig } from './rig.ts'

describe('the life of an API server', () => {
  it('reads from its caches and fails writes with 500 when the control plane is gone', async () => {
    const api = await startRig()
    try {
      await api.given(aTask({ name: 'kept', status: { state: 'READY' } }))
      await api.stopControlPlane()
      assert.equal(at((await api.get('/api/tasks/kept')).body, 'state'), 'READY')
      assert.equal(itemsOf((await api.get('/api/tasks')).body).length, 1)
      const { status, body } = await api.post('/api/tasks', { name: 'lost' })
      assert.equal(status, 500)
      assert.equal(typeof at(body, 'error'), 'string')
      assert.match((await api.get('/api/tasks/kept/manifest')).text, /^# Events: not available/m)
    } finally {
      await api.stop()
    }
  })

  it('ends log streams and WebSockets when it stops, and refuses connections then', async () => {
    const api = await startRig()
    await api.given(aTask({ name: 'waiting', status: { state: 'QUEUED' } }))
    const stream = await openEvents(`${api.url}/api/tasks/waiting/logs/stream`)
    await api.stop()
    await stream.ended
    assert.deepEqual(stream.events, [])
    await assert.rejects(api.get('/healthz'))
  })

  it('refuses to listen beyond loopback without a token', async () => {
    await assert.rejects(startRig({ host: '0.0.0.0' }), { code: 'UNPROTECTED_LISTEN' })
  })

  it('rejects with EADDRINUSE when the port is taken', async () => {
    const api = await startRig()
    try {
      await assert.rejects(startRig({ port: Number(new URL(api.url).port) }), { code: 'EADDRINUSE' })
    } finally {
      await api.stop()
    }
  })
})
