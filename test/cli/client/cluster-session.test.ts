import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ClusterChoice, openClusterSession } from '../../../cli/client/cluster-session.ts'
import { type Session, ServerUnreachable } from '../../../cli/client/session.ts'
import { type FakeCluster, portOf, SECRET_TOKEN, startFakeCluster } from '../../helpers/port-forward.ts'
import { until } from '../../helpers/until.ts'

describe('a session with a server in a cluster', () => {
  let folder: string
  let cluster: FakeCluster
  const servers: Server[] = []
  const sessions: Session[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-cluster-session-'))
    cluster = await startFakeCluster()
    await writeFile(join(folder, 'config'), cluster.kubeconfig)
  })
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()))
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
    await cluster.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function open(choice: ClusterChoice = {}, env: Record<string, string> = {}): Promise<Session> {
    const signal = new AbortController().signal
    const path = join(folder, 'config')
    const session = await openClusterSession({ choice: { path, ...choice }, form: 'table', env, signal })
    sessions.push(session)
    return session
  }

  async function serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener)
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return portOf(server.address())
  }

  /** Slipway in a pod, which records what it is asked. */
  async function servePod(name: string, seen: IncomingMessage[] = []): Promise<void> {
    const port = await serve((request, response) => {
      seen.push(request)
      const isKnown = request.headers.authorization === `Bearer ${SECRET_TOKEN}`
      response.writeHead(isKnown ? 200 : 401, { 'X-Request-Id': 'r' }).end(isKnown ? '[]' : '{"error":"no token"}')
    })
    cluster.pods = [...cluster.pods, { name, isReady: true, port }]
  }

  it('talks to a ready pod of the Service with the token of its Secret, under a name that every server answers to', async () => {
    const seen: IncomingMessage[] = []
    cluster.pods = [{ name: 'a-starting', isReady: false, port: 1 }]
    await servePod('b-ready', seen)
    const { api, isLocal } = await open()
    assert.deepEqual(await api.listTasks(), [])
    assert.deepEqual([seen.map(({ headers }) => headers.host), isLocal], [['localhost'], false])
    assert.ok(cluster.requests.includes('GET /api/v1/namespaces/ns/pods/b-ready/portforward'))
  })

  it('prefers SLIPWAY_TOKEN, and reads no Secret then', async () => {
    const seen: IncomingMessage[] = []
    await servePod('a', seen)
    const { api } = await open({}, { SLIPWAY_TOKEN: 'mine' })
    await assert.rejects(api.listTasks(), {
      status: 401,
      message: /slipway-api-server\.ns .*: it is the one in SLIPWAY_TOKEN;/,
    })
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer mine'],
    )
    assert.ok(!cluster.requests.some((request) => request.includes('/secrets/')))
  })

  it('says who may read the token, and how, when this user may not', async () => {
    await servePod('a')
    cluster.refusals.set('/secrets/api-token', { code: 403, reason: 'Forbidden' })
    const { api } = await open()
    await assert.rejects(api.listTasks(), {
      status: 401,
      message:
        /SLIPWAY_TOKEN.*Secret api-token, which context "fake" may not read.*kubectl -n ns get secret api-token -o go-template=/,
    })
  })

  it('carries megabytes both ways unchanged', async () => {
    const port = await serve((request, response) => {
      void text(request).then((body) => response.writeHead(200, { 'X-Request-Id': 'r' }).end(body))
    })
    cluster.pods = [{ name: 'a', isReady: true, port }]
    const { api } = await open()
    const description = 'ä→'.repeat(1_000_000)
    const task = await api.createTask({ body: { name: 'large', description, project: 'p' } })
    assert.equal(task.description, description)
  })

  it('goes on with another pod when the one it talked to is gone', async () => {
    await servePod('a')
    const session = await open()
    await session.api.listTasks()
    cluster.pods = []
    cluster.endConnections()
    await assert.rejects(
      session.api.listTasks(),
      isPassing(/no pod .* is ready.*kubectl -n ns get pods -l part=api-server/),
    )
    await servePod('b')
    assert.deepEqual(await session.api.listTasks(), [])
    assert.ok(cluster.requests.includes('GET /api/v1/namespaces/ns/pods/b/portforward'))
  })

  it('ends a stream whose pod goes away, and leaves no connection when it is closed', async () => {
    const port = await serve((_, response) => response.writeHead(200, { 'X-Request-Id': 'r' }).write(': hello\n\n'))
    cluster.pods = [{ name: 'a', isReady: true, port }]
    const session = await open()
    let isOpen = false
    const onHeaders = (): void => void (isOpen = true)
    const stream = session.api.streamTaskLogs({ params: { id: 'x' } }, { onHeaders })[Symbol.asyncIterator]()
    const next = assert.rejects(stream.next(), { name: 'TypeError', message: 'terminated' })
    await until('the beginning of the answer', () => isOpen)
    cluster.endConnections()
    await next
    const other = session.api.streamTaskLogs({ params: { id: 'x' } })[Symbol.asyncIterator]()
    const ended = assert.rejects(other.next())
    await until('a forwarded connection', () => cluster.connections() === 1)
    await session.close()
    await ended
    await until('no forwarded connection', () => cluster.connections() === 0)
  })

  it("passes on the kubelet's words when the pod's port refuses", async () => {
    cluster.pods = [{ name: 'a', isReady: true, port: 1 }]
    const { api } = await open()
    await assert.rejects(api.listTasks(), isPassing(/cannot forward: .*ECONNREFUSED.*kubectl -n ns logs a/))
  })

  it('says which right is missing to forward ports, and does not try again', async () => {
    await servePod('a')
    cluster.refusals.set('/portforward', { code: 403, reason: 'Forbidden' })
    const { api } = await open()
    const message =
      /context "fake" may not forward a port of pod a \(get and create pods\/portforward\).*role in docs\/cli\.md.*--server/
    await assert.rejects(api.listTasks(), isFinal(message))
  })

  const REFUSED: readonly (readonly [string, (cluster: FakeCluster) => void, ClusterChoice, RegExp])[] = [
    [
      'a namespace that does not exist',
      (c) => void (c.hasService = c.hasNamespace = false),
      {},
      /no namespace ns .* -n\. /,
    ],
    [
      'a namespace without Slipway',
      (c) => void (c.hasService = false),
      {},
      /no Slipway in namespace ns .*get services -A/,
    ],
    ['the namespace of -n, without Slipway', () => undefined, { namespace: 'mine' }, /no namespace mine in .*"fake"/],
    [
      'the namespace `default` of a context that names none',
      () => undefined,
      { context: 'other' },
      /namespace default in/,
    ],
    ['a context that does not exist', () => undefined, { context: 'lost' }, /has no context "lost".*--kubeconfig/],
    [
      'a Service that the user may not read',
      (c) => void c.refusals.set('/slipway-api-server', { code: 403, reason: 'Forbidden' }),
      {},
      /context "fake" may not get Service slipway-api-server in namespace ns: .*--server or SLIPWAY_SERVER/,
    ],
    [
      'pods that the user may not list',
      (c) => void c.refusals.set('/pods', { code: 403, reason: 'Forbidden' }),
      {},
      /may not list pods in namespace ns/,
    ],
    [
      'a login that the cluster refuses',
      (c) => void c.refusals.set('', { code: 401, reason: 'Unauthorized' }),
      {},
      /does not accept the login of context "fake": log in again/,
    ],
    ['a Service without a ready pod', () => undefined, {}, /no pod of Service slipway-api-server/],
  ]
  for (const [what, arrange, choice, message] of REFUSED) {
    it(`is refused with the way out for ${what}`, async () => {
      arrange(cluster)
      await assert.rejects(open(choice), { message })
    })
  }

  it('is refused with the address when no cluster answers', async () => {
    const { url } = cluster
    await cluster.close()
    await assert.rejects(open(), isPassing(new RegExp(`the cluster at ${url}.*"fake".*ECONNREFUSED.*--context`)))
    cluster = await startFakeCluster()
  })
})

function isPassing(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ServerUnreachable && error.isPassing && message.test(error.message)
}

function isFinal(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ServerUnreachable && !error.isPassing && message.test(error.message)
}
