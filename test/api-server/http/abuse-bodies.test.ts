import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { at, textAt } from '../../helpers/kube-http.ts'
import { exchange, send, statusesOf } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

const json = { 'Content-Type': 'application/json' }

describe('a body that is up to no good', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const create = (text: string) => send(`${api.url}/api/tasks`, json, 'POST', text)

  it('is not unpacked: a compressed one is refused with 415', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    for (const coding of ['gzip', 'deflate', 'br', 'gzip, identity']) {
      const response = await fetch(`${api.url}/api/tasks`, {
        method: 'POST',
        headers: { ...json, 'Content-Encoding': coding },
        body: bomb,
      })
      assert.deepEqual([response.status, response.headers.get('accept-encoding')], [415, 'identity'], coding)
    }
    const plain = await fetch(`${api.url}/api/tasks`, {
      method: 'POST',
      headers: { ...json, 'Content-Encoding': 'identity' },
      body: '{"name":"x"}',
    })
    assert.equal(plain.status, 201)
  })

  it('is refused with 413 as soon as it passes the limit, though it names no length', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
    const head = 'POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const answer = await exchange(api.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(18)}`)
    assert.deepEqual(statusesOf(answer), [413])
  })

  it('is refused with 400 when it is nested 10,000 deep, whole or not, in arrays and objects', async () => {
    for (const text of [
      '['.repeat(10_000),
      `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    ]) {
      const { status, body } = await create(text)
      assert.deepEqual([status, body], [400, { error: 'invalid JSON: nested deeper than 64 levels' }])
    }
  })

  it('is refused with 400 when it holds more values than any record, before anybody looks at each', async () => {
    for (const text of [`{"depends_on":[${'1,'.repeat(500_000)}1]}`, `{"depends_on":[${'[],'.repeat(300_000)}1]}`]) {
      const { status, body } = await create(text)
      assert.deepEqual([status, body], [400, { error: 'invalid JSON: more than 50000 values' }])
    }
  })

  it('gets an answer that names a bounded number of its wrong items', async () => {
    const { status, body } = await create(JSON.stringify({ name: 'x', depends_on: Array(40_000).fill(1) }))
    assert.equal(status, 400)
    const text = textAt(body, 'error')
    assert.match(text, /^depends_on: must have at most 100 entries; depends_on\[0\]: must be a text/)
    assert.ok(text.length < 100_000, `${text.length} characters`)
  })

  it('may hold brackets in texts as it likes', async () => {
    assert.equal(
      (await create(JSON.stringify({ name: 'x', description: `\\"${'['.repeat(1000)}${','.repeat(50_000)}` }))).status,
      201,
    )
  })

  for (const key of ['__proto__', 'constructor', 'prototype']) {
    it(`names ${key} as unknown, and changes no object of ours`, async () => {
      const { status, body } = await create(`{"name":"x","${key}":{"polluted":true}}`)
      assert.equal(status, 400)
      assert.ok(textAt(body, 'error').includes(`${key}: unknown field`), textAt(body, 'error'))
      const nested = await create(`{"name":"x","agent":{"${key}":{"polluted":true}}}`)
      assert.equal(nested.status, 400)
      assert.equal(Reflect.get({}, 'polluted'), undefined)
      assert.equal((await api.get(`/api/tasks?${key}=1`)).status, 400)
    })
  }

  it('keeps __proto__ where anything may be told, as what it is: a key', async () => {
    const { body: story } = await api.post('/api/stories', { name: 's' })
    const path = `/api/stories/${textAt(story, 'id')}/events`
    const text = '{"kind":"retro_captured","payload":{"__proto__":{"polluted":true},"constructor":1}}'
    const { status } = await send(`${api.url}${path}`, json, 'POST', text)
    assert.ok(status === 201 || status === 400)
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })

  it('must be UTF-8', async () => {
    const head =
      'POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n'
    const bytes = Buffer.concat([
      Buffer.from(`${head}Content-Length: 12\r\n\r\n{"name":"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}').subarray(0, 1),
    ])
    assert.deepEqual(statusesOf(await exchange(api.url, bytes)), [400])
  })

  it('is refused with 415 that names its charset when it is not UTF-8 by its own word', async () => {
    const send = (charset: string) =>
      api.post('/api/tasks', { name: 'x' }, { 'Content-Type': `application/json; charset=${charset}` })
    const { status, body } = await send('latin1')
    assert.deepEqual([status, body], [415, { error: 'charset latin1 is not supported; send the body as utf-8' }])
    for (const charset of ['UTF-8', '"utf-8"', 'us-ascii']) assert.equal((await send(charset)).status, 201, charset)
  })

  it('cannot say the same thing twice in the query', async () => {
    assert.equal((await api.get('/api/tasks?limit=1&limit=2')).status, 400)
    assert.equal((await api.get('/api/tasks?limit=1&%6cimit=2')).status, 400)
  })

  it('cannot end a line of what others read: names with line ends are refused or told as JSON', async () => {
    const name = 'x\r\nSet-Cookie: a=b\n\ndata: {"injected":true}\n\nevent: end'
    const { status, body, headers } = await create(JSON.stringify({ name }))
    assert.ok(status === 201 || status === 400)
    assert.equal(headers['set-cookie'], undefined)
    if (status === 201) assert.equal(at(body, 'name'), name)
  })
})
