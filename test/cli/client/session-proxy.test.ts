import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { receiveLive } from '../../../cli/client/live-messages.ts'
import { openSession } from '../../../cli/client/session.ts'
import { systemClock } from '../../../lib/clock.ts'
import { aCertificate } from '../../helpers/certificate.ts'
import { type ConnectProxy, startConnectProxy } from '../../helpers/connect-proxy.ts'
import { runSlipway } from '../../helpers/slipway.ts'

// No name server knows it (RFC 6761): only the proxy leads there.
const HOST = 'slipway.invalid'

describe('a client command on a machine that only a proxy leads out of', () => {
  const pair = aCertificate(HOST)
  const servers: Server[] = []
  let live: WebSocketServer
  let proxy: ConnectProxy
  before(async () => {
    const answer: Parameters<typeof createServer>[1] = (_, response) =>
      response.writeHead(200, { 'X-Request-Id': 'r', 'Content-Type': 'application/json' }).end('[]')
    servers.push(createServer({ cert: pair.certificate, key: pair.key }, answer), createPlainServer(answer))
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
    live = new WebSocketServer({ server: servers[1] })
    live.on('connection', (socket) => {
      socket.send(JSON.stringify({ id: '1', type: 'task_deleted' }))
      socket.close()
    })
    const [secure = 0, plain = 0] = servers.map((server) => (server.address() as AddressInfo).port)
    proxy = await startConnectProxy({ [`${HOST}:443`]: secure, [`${HOST}:80`]: plain })
  })
  beforeEach(() => void proxy.asked.splice(0))
  after(async () => {
    await proxy.close()
    live.close()
    for (const server of servers) server.close()
  })
  const open = (url: string, env: Record<string, string>) =>
    openSession({ server: url, form: 'json', env: { SLIPWAY_TOKEN: 'mine', ...env } })

  it('reaches an https server through a tunnel, and trusts the authorities of NODE_EXTRA_CA_CERTS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-session-proxy-'))
    try {
      writeFileSync(join(folder, 'ca.pem'), pair.certificate)
      const env = { HOME: folder, HTTPS_PROXY: proxy.url, SLIPWAY_TOKEN: 'mine' }
      const run = (more = {}) => runSlipway(['tasks', '-o', 'json', '--server', `https://${HOST}`], { ...env, ...more })
      const { output } = await run({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
      assert.deepEqual([output.trim(), [...new Set(proxy.asked)]], ['[]', [`${HOST}:443`]])
      assert.match((await run()).output, /no server answers at https:\/\/slipway\.invalid \(\w*SELF_SIGNED_CERT\w*\)/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('reaches an http server, and its live messages, through tunnels', async () => {
    const session = await open(`http://${HOST}`, { http_proxy: proxy.url })
    const messages: string[] = []
    try {
      assert.deepEqual(await session.api.listTasks(), [])
      await receiveLive(session.socket, {
        types: ['task_deleted'],
        since: undefined,
        clock: systemClock,
        signal: new AbortController().signal,
        onOpen: () => undefined,
        onMessage: ({ type }) => messages.push(type),
      })
    } finally {
      await session.close()
    }
    assert.deepEqual([messages, proxy.asked], [['task_deleted'], [`${HOST}:80`, `${HOST}:80`]])
  })

  it('uses no proxy for a server that NO_PROXY names', async () => {
    const session = await open(`https://${HOST}`, { HTTPS_PROXY: proxy.url, NO_PROXY: '.invalid' })
    await assert.rejects(session.api.listTasks(), { name: 'ServerUnreachable' })
    assert.deepEqual(proxy.asked, [])
  })

  it('says which proxy refuses', async () => {
    const session = await open('https://other.invalid', { HTTPS_PROXY: proxy.url.replace('//', '//bob:secret@') })
    await assert.rejects(session.api.listTasks(), {
      message:
        /^no server answers at https:\/\/other\.invalid \(the proxy 127\.0\.0\.1:\d+ answered 403 when asked for other\.invalid:443\)/,
    })
    await session.close()
  })

  it('says which proxy is not there', async () => {
    const gone = await startConnectProxy({})
    await gone.close()
    const session = await open('https://other.invalid', { HTTPS_PROXY: gone.url })
    await assert.rejects(session.api.listTasks(), {
      message:
        /^no server answers at https:\/\/other\.invalid \(the proxy 127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/,
    })
    await session.close()
  })
})
