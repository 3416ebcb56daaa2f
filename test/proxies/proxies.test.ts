/** What docs/guides/several-people.md promises of nginx and Caddy, through the real ones and the whole program. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type OutgoingHttpHeaders, connect as connectHttp2 } from 'node:http2'
import type { LookupFunction } from 'node:net'
import { type RequestInit, type Response, Agent, fetch, FormData } from 'undici'
import { WebSocket } from 'ws'
import { freePort } from '../helpers/free-port.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from '../system/installation.ts'
import { type Proxy, NAME, needProxy, PROXIES, startProxy } from './proxy.ts'

const TOKEN = 'a-token-of-alice'
const DROP_BYTES = 100 * 1024 * 1024
const bearer = { Authorization: `Bearer ${TOKEN}` }

/** The name is nobody's here. */
const lookup: LookupFunction = (_host, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

for (const kind of PROXIES) {
  describe(`Slipway behind ${kind}`, function () {
    let installation: Installation
    let server: Server
    let proxy: Proxy
    let origin = ''
    let agent: Agent

    before(async function () {
      needProxy(this, kind)
      const port = await freePort()
      origin = `https://${NAME}:${port}`
      installation = makeInstallation({
        SLIPWAY_PUBLIC_URL: origin,
        SLIPWAY_TRUSTED_PROXIES: '127.0.0.1',
        SLIPWAY_TOKENS: JSON.stringify([{ name: 'alice', token: TOKEN, scopes: ['read', 'decide', 'admin'] }]),
        SLIPWAY_TOKEN: 'that-of-the-test',
      })
      server = await installation.start()
      proxy = await startProxy(kind, {
        folder: installation.folder,
        port,
        target: new URL(server.program.url).host,
      })
      agent = clientAt()
    })
    after(async () => {
      await agent?.close()
      await proxy?.stop()
      await installation?.dispose()
    })

    /** Somebody who comes from that address. */
    const clientAt = (localAddress?: string): Agent =>
      new Agent({ connect: { ca: proxy.ca, lookup }, ...(localAddress === undefined ? {} : { localAddress }) })
    const ask = (path: string, request: RequestInit = {}): Promise<Response> =>
      fetch(new URL(path, origin), { dispatcher: agent, ...request })
    /** Who alice is, asked as browsers do. */
    const askOverHttp2 = async (headers: OutgoingHttpHeaders): Promise<{ status: unknown; body: string }> => {
      const session = connectHttp2(origin, { ca: proxy.ca, lookup })
      const authorization = bearer.Authorization
      const stream = session.request({ ':path': '/api/session', authorization, ...headers })
      let body = ''
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()))
      const ended = once(stream, 'close')
      const [{ ':status': status }] = await once(stream, 'response')
      await ended
      session.close()
      return { status, body }
    }

    it('serves the page and REST, over HTTP/2 too', async () => {
      assert.match(await (await ask('/')).text(), /<title>Slipway/)
      assert.equal((await ask('/api/tasks')).status, 401)
      const { status, body } = await askOverHttp2({})
      assert.equal(status, 200, body)
      assert.equal(JSON.parse(body).name, 'alice')
    })

    it('keeps a session in a cookie for https alone, and takes decisions from its own page alone', async () => {
      const login = await ask('/api/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ token: TOKEN }),
      })
      const set = login.headers.get('Set-Cookie') ?? ''
      assert.match(set, /HttpOnly/i)
      assert.match(set, /; secure/i)
      const create = (id: string, from: string): Promise<Response> =>
        ask('/api/tasks', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Cookie: set.split(';')[0] ?? '', Origin: from },
          body: JSON.stringify({ id, name: id }),
        })
      assert.equal((await create('mine', origin)).status, 201)
      assert.equal((await create('theirs', 'https://elsewhere.example.com')).status, 403)
    })

    it('is not reached under another name', async () => {
      const { status, body } = await askOverHttp2({ ':authority': 'elsewhere.example.com' })
      // nginx asks Slipway, which refuses; Caddy serves no such site and answers nothing.
      if (kind === 'nginx') assert.equal(status, 403, body)
      else assert.equal(body, '')
    })

    it('passes the output of an agent while it works, live messages, and a drop of 100 MiB both ways', async () => {
      const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
      // Goes on when the drop has come, so what is read before has come while it worked.
      const script = 'echo first; until [ -s "$SERVICE_DROP_DIR/large.bin" ]; do sleep 0.1; done; echo second'
      await server.create('live', script, { repository_url: remote.path })
      const socket = new WebSocket(`${origin.replace('https', 'wss')}/api/ws`, [`bearer.${TOKEN}`], {
        ca: proxy.ca,
        lookup,
      })
      const told: string[] = []
      socket.on('message', (text: Buffer) => told.push(JSON.parse(text.toString()).type))
      await once(socket, 'open')
      await server.run('live')
      await until('it is told that the task has started', () => told.includes('task_started'))

      const stream = await ask('/api/tasks/live/logs/stream', { headers: bearer })
      const output = readOn(stream)
      await output.has('first')
      assert.doesNotMatch(output.text(), /second/)

      const content = randomBytes(DROP_BYTES)
      const form = new FormData()
      form.append('file', new Blob([content]), 'large.bin')
      const sent = await ask('/api/drops', { method: 'POST', headers: bearer, body: form })
      assert.equal(sent.status, 201, await sent.text())
      await output.has('second')
      await output.has('event: end')
      const back = await ask('/api/drops/large.bin', { headers: bearer })
      const hash = createHash('sha256')
      for await (const chunk of back.body ?? []) hash.update(chunk)
      assert.equal(hash.digest('hex'), createHash('sha256').update(content).digest('hex'))

      await server.reaches('live', 'READY')
      await until('it is told that the task is done', () => told.includes('task_completed'))
      const closed = once(socket, 'close')
      socket.close()
      await closed
    })

    it('tells its clients apart by their address, whatever they say of it themselves', async () => {
      const [greedy, other] = [clientAt('127.0.0.2'), clientAt('127.0.0.3')]
      const validate = async (dispatcher: Agent, said: string): Promise<number> => {
        const headers = { ...bearer, 'Content-Type': 'application/json', 'X-Forwarded-For': said }
        const answer = await ask('/api/tasks/validate', { method: 'POST', headers, body: '{}', dispatcher })
        await answer.text()
        return answer.status
      }
      const statuses = []
      for (let i = 0; i < 6; i++) statuses.push(await validate(greedy, `203.0.113.${i}`))
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
      assert.equal(await validate(other, '127.0.0.2'), 200)
      await Promise.all([greedy.close(), other.close()])
    })
  })
}

/** Keeps what comes of a body, and waits for a part of it. */
function readOn({ body }: Response): { text(): string; has(part: string): Promise<void> } {
  let text = ''
  let failure: unknown
  const decoder = new TextDecoder()
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  read().catch((error: unknown) => (failure = error))
  return {
    text: () => text,
    has: (part) =>
      until(`the stream has "${part}"`, () => {
        if (failure !== undefined) throw failure
        return text.includes(part)
      }),
  }
}
