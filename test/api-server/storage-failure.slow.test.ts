// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { clientOptions } from '../../cli/control-plane.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { aProject, aTask } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { recordingLogger } from '../helpers/log.ts'
import { type TcpProxy, startTcpProxy } from '../helpers/tcp-proxy.ts'
import { until } from '../helpers/until.ts'
import { type LiveTestClient, connectLive } from './live/live-client.ts'
import { type Rig, startRig } from './rig.ts'

const READS = ['/api/tasks', '/api/tasks/kept', '/api/projects', '/api/agents/status', '/api/executions']
const STALE = '110 - "Response is Stale"'

const errorOf = (body: JsonValue | undefined): string => {
  const error = at(body, 'error')
  return typeof error === 'string' ? error : ''
}
const isReady = async (api: Rig): Promise<boolean> => (await api.get('/readyz')).status === 200

async function givenRecords(api: Rig): Promise<void> {
  await api.given(aTask({ name: 'kept' }))
  await api.givenProject(aProject({ name: 'kept' }))
}

async function assertReadsAreStale(api: Rig): Promise<void> {
  for (const path of READS) {
    const { status, headers } = await api.get(path)
    assert.deepEqual([path, status, headers.get('warning')], [path, 200, STALE])
  }
  assert.equal((await api.get('/api/version')).headers.get('warning'), null)
  assert.equal((await api.get('/healthz')).status, 200)
}

describe('a control plane that is gone', () => {
  const { logger, lines } = recordingLogger()
  let api: Rig
  let client: LiveTestClient
  let stoppedAt = 0
  before(async () => {
    api = await startRig({ logger })
    await givenRecords(api)
    client = await connectLive(api.url)
    assert.equal(await isReady(api), true)
    assert.equal((await api.get('/api/tasks')).headers.get('warning'), null)
    stoppedAt = Date.now()
    await api.stopControlPlane()
    await until('the loss was noticed', async () => !(await isReady(api)))
  })
  after(async () => {
    await client.close()
    await api.stop()
  })

  it('makes reads stale, answered from the caches and marked', () => assertReadsAreStale(api))

  it('makes /readyz 503, saying since when and why', async () => {
    // The first to fail may have been a request under way, whose connection was cut.
    let said = ''
    await until('a new connection was refused', async () => {
      const { status, body } = await api.get('/readyz')
      assert.equal(status, 503)
      said = errorOf(body)
      return said.includes('ECONNREFUSED')
    })
    assert.match(said, /^the control plane is out of reach, last heard of at 20.*Z: .*ECONNREFUSED/)
  })

  it('makes writes 500 with the underlying text', async () => {
    for (const answer of [
      await api.post('/api/tasks', { name: 'x' }),
      await api.post('/api/tasks/kept/run'),
      await api.put('/api/tasks/kept', { priority: 3 }),
      await api.delete('/api/tasks/kept'),
    ])
      assert.deepEqual([answer.status, /ECONNREFUSED/.test(errorOf(answer.body))], [500, true], answer.text)
  })

  it('leaves WebSockets open, and says little in the log', async () => {
    assert.equal(client.socket.readyState, client.socket.OPEN)
    const warnings = lines.filter(({ msg }) => msg === 'the API server cannot be watched, trying again')
    // One a minute, of which a slow machine takes more.
    const minutes = Math.floor((Date.now() - stoppedAt) / 60_000)
    assert.ok(warnings.length >= 1 && warnings.length <= 1 + minutes, `${warnings.length} lines`)
  })

  it('is used again when it is back, and live clients are told to read again', async () => {
    // The server looks every half second: what is over before it looks, and costs no watch its place, needs no resync.
    await until('the server has looked', () => Date.now() - stoppedAt > 2000)
    await api.startControlPlane()
    await until('the server is ready', () => isReady(api))
    assert.equal((await api.get('/api/tasks/kept')).headers.get('warning'), null)
    await until('resync was told', () => client.types().includes('resync'))
    const { status, text } = await api.post('/api/tasks/kept/run')
    assert.equal(status, 202, text)
    await until('its change was told', () => client.types('kept').includes('task_updated'))
    await api.given(aTask({ name: 'later' }))
    await until('the watch tells', () => client.types('later').includes('task_created'))
    // It is said when the last of the watches is back, each of which waits before it tries again.
    await until('the return was logged', () => lines.some(({ msg }) => msg === 'the API server is watched again'))
  })
})

describe('a control plane that hangs', () => {
  let proxy: TcpProxy
  let api: Rig
  before(async () => {
    api = await startRig({}, async ({ kubeconfig, port }) => {
      proxy = await startTcpProxy({ host: '127.0.0.1', port })
      const content = kubeconfig.replaceAll(`:${port}`, `:${proxy.port}`)
      // As the program has it.
      const limits = clientOptions('api-server')
      return createClient(await loadKubeConfig({ kind: 'content', content }), limits)
    })
    await givenRecords(api)
    proxy.hang()
  })
  after(async () => {
    // First, so that no stop waits for a connection that stayed dead.
    await proxy.stop()
    await api.stop()
  })

  it('makes writes fail after five seconds with 500 saying that nobody knows their outcome, without a path', async () => {
    const answers = await Promise.all([
      api.post('/api/tasks', { name: 'x' }),
      api.post('/api/tasks/kept/run'),
      api.put('/api/tasks/kept', { priority: 3 }),
      api.delete('/api/tasks/kept'),
    ])
    // How long they wait is exact: see test/kube/client-errors.test.ts.
    const error = 'the control plane did not answer: whether this was done is not known; look before you do it again'
    for (const { status, body, headers } of answers)
      assert.deepEqual([status, body, headers.get('slipway-error')], [500, { error }, 'outcome_unknown'])
  })

  it('is noticed though no connection breaks: reads are marked, /readyz is 503', async () => {
    await until('the silence was noticed', async () => !(await isReady(api)))
    await assertReadsAreStale(api)
  })

  it('is used again when it answers', async () => {
    await proxy.resume()
    await until('the server is ready', () => isReady(api))
    const { status, text } = await api.post('/api/tasks/kept/run')
    assert.equal(status, 202, text)
    assert.equal((await api.get('/api/tasks')).headers.get('warning'), null)
  })
})

describe('a control plane that takes no writes', () => {
  const WHY = 'the store takes no writes: no space is left on its disk'
  let problem: string | undefined
  let api: Rig
  before(async () => {
    api = await startRig({ writeProblem: () => Promise.resolve(problem) })
  })
  after(() => api.stop())

  it('makes /readyz 503 with the reason, and leaves reads as they are', async () => {
    problem = WHY
    const { status, body } = await api.get('/readyz')
    assert.deepEqual([status, errorOf(body)], [503, WHY])
    const { status: readStatus, headers } = await api.get('/api/tasks')
    assert.deepEqual([readStatus, headers.get('warning')], [200, null])
    problem = undefined
    assert.equal((await api.get('/readyz')).status, 200)
  })
})
