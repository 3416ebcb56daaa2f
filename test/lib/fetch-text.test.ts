import assert from 'node:assert/strict'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchText } from '../../lib/fetch-text.ts'
import type { Resolve } from '../../lib/address-rule.ts'

describe('fetching a text from a URL that others wrote', () => {
  let server: Server
  let url: string
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let asked: string[]

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    url = `http://127.0.0.1:${port}`
  })
  beforeEach(() => {
    asked = []
    answer = (_, response) => response.end('text')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const get = (from: string, options: Partial<Parameters<typeof fetchText>[1]> = {}): Promise<string> =>
    fetchText(from, { signal: new AbortController().signal, maxBytes: 1000, allowPrivate: true, ...options })
  const redirect = (to: string) => (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { Location: to }).end()

  it('gives the body of a 200', async () => assert.equal(await get(url), 'text'))

  it('follows a redirect', async () => {
    answer = (request, response) =>
      request.url === '/a' ? redirect('/b')(request, response) : response.end(`at ${request.url}`)
    assert.equal(await get(`${url}/a`), 'at /b')
  })

  it('gives up after three redirects', async () => {
    answer = redirect('/again')
    await assert.rejects(get(url), { code: 'FETCH_FAILED', message: /more than 3 times/ })
    assert.equal(asked.length, 4)
  })

  for (const target of [
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
  ]) {
    it(`refuses a redirect to ${target}, even where private addresses are allowed`, async () => {
      answer = redirect(target)
      await assert.rejects(get(url), { code: 'PRIVATE_ADDRESS' })
    })
  }

  it('asks no loopback address where private ones are not allowed', async () => {
    await assert.rejects(get(url, { allowPrivate: false }), { code: 'PRIVATE_ADDRESS' })
    await assert.rejects(get(url.replace('127.0.0.1', 'localhost'), { allowPrivate: false }), {
      code: 'PRIVATE_ADDRESS',
    })
    assert.deepEqual(asked, [])
  })

  it('connects to the address that was judged: a name is looked up once', async () => {
    const lookups: string[] = []
    const resolve: Resolve = (hostname, _, done) => {
      lookups.push(hostname)
      done(null, [
        { address: '169.254.169.254', family: 4 },
        { address: lookups.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 },
      ])
    }
    assert.equal(await get(url.replace('127.0.0.1', 'rebinding.example'), { resolve }), 'text')
    assert.deepEqual(lookups, ['rebinding.example'])
  })

  it('refuses other schemes, other statuses and more bytes than asked for', async () => {
    await assert.rejects(get('file:///etc/passwd'), { code: 'FETCH_FAILED' })
    answer = redirect('file:///etc/passwd')
    await assert.rejects(get(url), { code: 'FETCH_FAILED' })
    answer = (_, response) => response.writeHead(404).end('text')
    await assert.rejects(get(url), { code: 'FETCH_FAILED', message: 'it answered 404' })
    answer = (_, response) => response.end('x'.repeat(1001))
    await assert.rejects(get(url), { code: 'FETCH_FAILED', message: /more than 1000 bytes/ })
  })
})
