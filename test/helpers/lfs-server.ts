import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http'
import { text, buffer } from 'node:stream/consumers'
import { gitHandler } from './git-over-http.ts'

/** A server of git repositories with Git LFS; the objects are kept at another origin, as hosts do with their object stores. */
export interface LfsHost {
  /** `127.0.0.1:<port>` of git and of the batch API. */
  readonly host: string
  /** The content that the store has, by SHA-256. */
  readonly objects: Map<string, Buffer>
  /** Each request to the store. */
  readonly asked: { readonly method: string; readonly headers: IncomingHttpHeaders }[]
  /** Changes what the server does. */
  readonly faults: LfsFaults
  close(): Promise<void>
}

export interface LfsFaults {
  /** Status of the batch API in place of an answer. */
  status?: number
  /** Where the store's addresses lead instead. */
  store?: string
  /** Content in place of what was asked for. */
  content?: Buffer
  /** Changes what the batch API says of the objects. */
  answers?: (objects: readonly Record<string, unknown>[]) => readonly Record<string, unknown>[]
}

interface Asked {
  readonly operation: string
  readonly objects: readonly { readonly oid: string; readonly size: number }[]
}

export function oidOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** What git holds of a file whose content is in Git LFS. */
export function pointerTo(content: string | Buffer): string {
  const size = Buffer.byteLength(content)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${size}\n`
}

/** Serves the bare repositories below a folder to one user. */
export async function serveLfs(folder: string, user: string, password: string): Promise<LfsHost> {
  const objects = new Map<string, Buffer>()
  const asked: LfsHost['asked'] = []
  const faults: LfsFaults = {}
  const store = createServer((request, response) => {
    asked.push({ method: request.method ?? '', headers: request.headers })
    void answerOfStore(request, response, objects, faults)
  })
  const storeAt = await listen(store)
  const git = gitHandler(folder, user, password)
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const server = createServer((request, response) => {
    if (request.url?.includes('/info/lfs/') !== true) return git(request, response)
    if (request.headers.authorization !== expected)
      return response.writeHead(401, { 'LFS-Authenticate': 'Basic realm="private"' }).end()
    return void answerBatch(request, response, { objects, faults, store: faults.store ?? storeAt })
  })
  const host = await listen(server)
  return {
    host,
    objects,
    asked,
    faults,
    async close() {
      for (const one of [server, store]) {
        one.closeAllConnections()
        one.close()
        await once(one, 'close')
      }
    },
  }
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function answerBatch(
  request: IncomingMessage,
  response: ServerResponse,
  { objects, faults, store }: Pick<LfsHost, 'objects' | 'faults'> & { readonly store: string },
): Promise<void> {
  if (request.url?.endsWith('/objects/batch') !== true || faults.status !== undefined) {
    response.writeHead(faults.status ?? 404, { 'Content-Type': 'application/vnd.git-lfs+json' })
    response.end('{"message":"not here"}')
    return
  }
  const { operation, objects: wanted } = JSON.parse(await text(request)) as Asked
  const answers: Record<string, unknown>[] = wanted.map(({ oid, size }) => {
    const href = `http://${store}/objects/${oid}`
    const action = { href, header: { 'X-Store': 'ticket', Authorization: 'Bearer of the store' } }
    const has = objects.has(oid)
    if (operation === 'download')
      return has
        ? { oid, size, actions: { download: action } }
        : { oid, size, error: { code: 404, message: 'no such object' } }
    return has ? { oid, size } : { oid, size, actions: { upload: action } }
  })
  response.writeHead(200, { 'Content-Type': 'application/vnd.git-lfs+json' })
  response.end(JSON.stringify({ transfer: 'basic', objects: faults.answers?.(answers) ?? answers }))
}

async function answerOfStore(
  request: IncomingMessage,
  response: ServerResponse,
  objects: LfsHost['objects'],
  faults: LfsFaults,
): Promise<void> {
  const oid = request.url?.split('/').at(-1) ?? ''
  if (request.method === 'PUT') {
    const content = await buffer(request)
    if (oidOf(content) !== oid) return void response.writeHead(422).end()
    objects.set(oid, content)
    return void response.writeHead(200).end()
  }
  const content = faults.content ?? objects.get(oid)
  if (content === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Length': content.length }).end(content)
}
