import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { CertificatePair } from '../../lib/x509.ts'

export interface GitOverHttp {
  /** `127.0.0.1:<port>` */
  readonly host: string
  close(): Promise<void>
}

/** Serves the bare repositories below a folder with git's own http-backend, for one user and password. */
export async function serveGitOverHttp(
  folder: string,
  user: string,
  password: string,
  tls?: CertificatePair,
): Promise<GitOverHttp> {
  const answer = gitHandler(folder, user, password)
  const server = (
    tls === undefined ? createServer(answer) : createTlsServer({ cert: tls.certificate, key: tls.key }, answer)
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same as a part of another server. */
export function gitHandler(folder: string, user: string, password: string) {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.authorization === expected) return backend(folder, user, request, response)
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' }).end()
  }
}

/** One request as CGI (RFC 3875). */
function backend(folder: string, user: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: user,
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => reply(Buffer.concat(chunks), response))
}

function reply(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n')
  const headers = output.subarray(0, end).toString().split('\r\n')
  for (const header of headers) {
    const [name = '', value = ''] = header.split(/: (.*)/)
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.end(output.subarray(end + 4))
}
