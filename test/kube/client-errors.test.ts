import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { AnswerLost, RequestTimedOut } from '../../kube/unanswered.ts'
import { KubeError, isConflict } from '../../kube/types.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { type FakeApi, configMap, connectTo, json, startFakeApi, status, list as listOf } from './fake-api.ts'

const KEY = { namespace: 'ns', name: 'a' }

describe('the answers of an API server that are errors', () => {
  let api: FakeApi
  beforeEach(async () => {
    api = await startFakeApi()
  })
  afterEach(() => api.close())

  it('a Status becomes a KubeError with its code, reason and message', async () => {
    api.answer(status(409, 'Conflict', 'the object has been modified'))
    await assert.rejects(api.client.replace(CONFIG_MAPS, configMap('a', '1')), (error) => {
      assert.ok(isConflict(error))
      assert.deepEqual([error.status, error.message], [409, 'the object has been modified'])
      return true
    })
  })

  it('find gives undefined for an object that does not exist', async () => {
    api.answer(status(404, 'NotFound', 'configmaps "a" not found'))
    assert.equal(await api.client.find(CONFIG_MAPS, KEY), undefined)
  })

  it('find does not take an unknown path, as of a missing CRD, for a missing object', async () => {
    api.answer((response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n'))
    await assert.rejects(
      api.client.find(CONFIG_MAPS, KEY),
      (error) => error instanceof KubeError && error.status === 404 && error.message === '404 page not found',
    )
  })

  it('HTML of a proxy is a message, not a parse error', async () => {
    api.answer((response) => response.writeHead(502).end('<html>Bad Gateway</html>'))
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY), { name: 'KubeError', status: 502 })
  })

  it('no answer in time is a RequestTimedOut', async () => {
    const slow = await startFakeApi({ requestTimeoutMs: 30 })
    slow.answer(() => undefined)
    await assert.rejects(slow.client.get(CONFIG_MAPS, KEY), RequestTimedOut)
    await slow.close()
  })

  it('no answer in time costs the next request nothing: it goes over a connection of its own', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(api.url).port) })
    const client = await connectTo(`http://127.0.0.1:${proxy.port}`, { requestTimeoutMs: 1000 })
    api.answer(json(configMap('a', '1')))
    const read = () => client.get(CONFIG_MAPS, KEY)
    try {
      await Promise.all([read(), read(), read()])
      proxy.hang()
      await assert.rejects(read(), RequestTimedOut)
      await proxy.resume()
      await read()
    } finally {
      await client.close()
      await proxy.stop()
    }
  })

  it('no answer in time to the handshake of a new connection is a RequestTimedOut as well', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(api.url).port) })
    const client = await connectTo(`https://127.0.0.1:${proxy.port}`, { requestTimeoutMs: 30 })
    proxy.hang()
    try {
      await assert.rejects(client.get(CONFIG_MAPS, KEY), RequestTimedOut)
    } finally {
      await client.close()
      await proxy.stop()
    }
  })

  it('an abort rejects with its reason', async () => {
    const cancelled = new Error('caller went away')
    const controller = new AbortController()
    api.answer(() => controller.abort(cancelled))
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY, { signal: controller.signal }), cancelled)
  })

  it('a server that is not there is an error with a code', async () => {
    const gone = await startFakeApi()
    await gone.close()
    const client = await connectTo(gone.url)
    await assert.rejects(client.get(CONFIG_MAPS, KEY), { code: 'ECONNREFUSED' })
    await client.close()
  })

  it('a client that was closed refuses to go on', async () => {
    await api.client.close()
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY), /the client is closed/)
  })

  it('a namespaced object without a namespace is refused before anything is sent', async () => {
    await assert.rejects(api.client.get(CONFIG_MAPS, { name: 'a' }), TypeError)
    await assert.rejects(api.client.create(CONFIG_MAPS, { metadata: { name: 'a' } }), TypeError)
    await assert.rejects(api.client.delete(CONFIG_MAPS, { namespace: 'ns', name: '' }), TypeError)
    assert.equal(api.requests.length, 0)
  })
})

describe('repeating what the API server did not do', () => {
  let api: FakeApi
  beforeEach(async () => {
    api = await startFakeApi()
  })
  afterEach(() => api.close())

  const busy = (code: number) => status(code, 'TooManyRequests', 'busy', { 'retry-after': '0' })

  it('a create that got 429 with Retry-After is sent again', async () => {
    api.answer(busy(429), busy(429), json(configMap('a', '1'), 201))
    assert.equal((await api.client.create(CONFIG_MAPS, configMap('a', ''))).metadata.resourceVersion, '1')
    assert.equal(api.requests.length, 3)
  })

  it('429 without Retry-After is not repeated', async () => {
    api.answer(status(429, 'TooManyRequests', 'busy'))
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY), { status: 429 })
    assert.equal(api.requests.length, 1)
  })

  it('503 is repeated for a read and not for a create, which may have been done', async () => {
    api.answer(busy(503), json(configMap('a', '1')))
    await api.client.get(CONFIG_MAPS, KEY)
    api.answer(busy(503))
    await assert.rejects(api.client.create(CONFIG_MAPS, configMap('a', '')), { status: 503 })
    assert.deepEqual(
      api.requests.map(({ method }) => method),
      ['GET', 'GET', 'POST'],
    )
  })

  it('a read whose connection is lost is sent once more, a create is not', async () => {
    const lose = (response: ServerResponse) => void response.destroy()
    api.answer(lose, json(configMap('a', '1')))
    await api.client.get(CONFIG_MAPS, KEY)
    api.answer(lose)
    await assert.rejects(api.client.create(CONFIG_MAPS, configMap('a', '')), AnswerLost)
    assert.deepEqual(
      api.requests.map(({ method }) => method),
      ['GET', 'GET', 'POST'],
    )
  })

  it('one object may have less time than a list', async () => {
    const slow = await startFakeApi({ objectTimeoutMs: 30 })
    slow.answer(() => undefined)
    const isWrite = (expected: boolean) => (error: unknown) =>
      error instanceof RequestTimedOut && error.isWrite === expected && !error.message.includes('/api')
    await assert.rejects(slow.client.get(CONFIG_MAPS, KEY), isWrite(false))
    const object = configMap('a', '1')
    for (const write of [
      slow.client.create(CONFIG_MAPS, object),
      slow.client.replace(CONFIG_MAPS, object),
      slow.client.mergePatch(CONFIG_MAPS, KEY, {}),
      slow.client.delete(CONFIG_MAPS, KEY),
    ])
      await assert.rejects(write, isWrite(true))
    slow.answer((response, request) => void setTimeout(() => listOf('10', [])(response, request), 100))
    assert.equal((await slow.client.list(CONFIG_MAPS, { namespace: 'ns' })).resourceVersion, '10')
    await slow.close()
  })

  it('gives up after six attempts', async () => {
    api.answer(busy(429))
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY), { status: 429 })
    assert.equal(api.requests.length, 6)
  })

  it('the time limit covers waiting for Retry-After', async () => {
    const slow = await startFakeApi({ requestTimeoutMs: 50 })
    slow.answer(status(429, 'TooManyRequests', 'busy', { 'retry-after': '60' }))
    await assert.rejects(slow.client.get(CONFIG_MAPS, KEY), RequestTimedOut)
    await slow.close()
  })

  it('401 is tried once more with credentials read again, then reported', async () => {
    api.answer(status(401, 'Unauthorized', 'Unauthorized'), json(configMap('a', '1')))
    await api.client.get(CONFIG_MAPS, KEY)
    api.answer(status(401, 'Unauthorized', 'Unauthorized'))
    await assert.rejects(api.client.get(CONFIG_MAPS, KEY), { status: 401 })
    assert.equal(api.requests.length, 4)
  })
})
