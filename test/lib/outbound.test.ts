import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { findProxy, sendRequest } from '../../lib/outbound.ts'
import { proxyVariables } from '../../lib/proxy-variables.ts'

const PROXY = 'http://proxy.example:3128'

describe('the proxy of a URL', () => {
  const find = (url: string, env: Record<string, string>) => findProxy(new URL(url), proxyVariables(env))?.href

  it('is that of its scheme, in capital or small letters, else that of all', () => {
    assert.equal(find('https://a.example', { HTTPS_PROXY: PROXY }), `${PROXY}/`)
    assert.equal(find('https://a.example', { https_proxy: 'proxy.example:3128' }), `${PROXY}/`)
    assert.equal(find('http://a.example', { HTTPS_PROXY: PROXY }), undefined)
    assert.equal(find('http://a.example', { ALL_PROXY: PROXY }), `${PROXY}/`)
    assert.equal(find('https://a.example', { ALL_PROXY: PROXY, https_proxy: '' }), undefined)
  })

  for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]'])
    it(`is none for ${url}, which is this machine`, () => assert.equal(find(url, { ALL_PROXY: PROXY }), undefined))

  const exempt: readonly (readonly [string, string, boolean])[] = [
    ['a.example', 'https://a.example', true],
    ['a.example', 'https://x.a.example', true],
    ['.a.example', 'https://a.example', true],
    ['*.a.example', 'https://x.A.example', true],
    ['a.example', 'https://ba.example', false],
    ['b.example, a.example', 'https://a.example', true],
    ['*', 'https://a.example', true],
    ['a.example:443', 'https://a.example', true],
    ['a.example:8443', 'https://a.example', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['fd00::1', 'https://[fd00::1]', true],
    ['', 'https://a.example', false],
  ]
  for (const [list, url, isDirect] of exempt)
    it(`is ${isDirect ? 'none' : 'used'} for ${url} with NO_PROXY=${list}`, () =>
      assert.equal(find(url, { HTTPS_PROXY: PROXY, NO_PROXY: list }) === undefined, isDirect))
})

describe('a request by a proxy', () => {
  let server: Server
  let asked: { readonly target: string | undefined; readonly headers: IncomingHttpHeaders }[]
  let proxy: string
  before(async () => {
    server = createServer(({ url: target, headers }, response) => {
      asked.push({ target, headers })
      response.end('far away')
    })
    server.on('connect', ({ url: target, headers }, socket) => {
      asked.push({ target, headers })
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    proxy = `http://bob:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => (asked = []))
  after(() => void server.close())

  it('of http carries the whole URL, and the login of the proxy', async () => {
    const answer = await sendRequest(new URL('http://a.invalid/b?c'), {}, { proxies: { http_proxy: proxy } })
    assert.equal(await text(answer), 'far away')
    assert.equal(asked[0]?.target, 'http://a.invalid/b?c')
    const login = Buffer.from('bob:p@ss').toString('base64')
    assert.deepEqual(
      [asked[0]?.headers.host, asked[0]?.headers['proxy-authorization']],
      ['a.invalid', `Basic ${login}`],
    )
  })

  it('of http gives a login in the URL to the server, and shows it in no line of a log', async () => {
    await sendRequest(new URL('http://eve:pw@a.invalid/b?c#d'), {}, { proxies: { http_proxy: proxy } })
    const login = Buffer.from('eve:pw').toString('base64')
    assert.deepEqual([asked[0]?.target, asked[0]?.headers.authorization], ['http://a.invalid/b?c', `Basic ${login}`])
  })

  it('takes a login whose percent sign stands for itself, as git does', async () => {
    await sendRequest(new URL('http://a.invalid'), {}, { proxies: { http_proxy: proxy.replace('p%40ss', '5%off%40') } })
    const login = Buffer.from('bob:5%off@').toString('base64')
    assert.equal(asked[0]?.headers['proxy-authorization'], `Basic ${login}`)
  })

  it('of https that is refused names the proxy without its password', async () => {
    const sending = sendRequest(new URL('https://a.invalid/b'), {}, { proxies: { https_proxy: proxy } })
    await assert.rejects(sending, /^Error: the proxy 127\.0\.0\.1:\d+ answered 407 when asked for a\.invalid:443$/)
    assert.equal(asked[0]?.target, 'a.invalid:443')
  })

  it('is none of SOCKS, and the error says which there are', async () => {
    const proxies = { all_proxy: 'socks5://bob:secret@proxy.example:1080' }
    const sending = sendRequest(new URL('https://a.invalid'), {}, { proxies })
    await assert.rejects(sending, /^Error: the proxy proxy\.example:1080 speaks socks5: name an http or https proxy$/)
  })
})
