/** A git remote for the length of a test: one bare repository over smart HTTP, by git's own CGI program. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface GitServer {
  /** The repository's URL, with the host that was asked for. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves a new repository with one commit on main, to whoever knows its path.
 *
 * @param host under which those who clone reach this process; also listened on
 * @param name of the repository: a path that nobody guesses, because everybody may push to it
 */
export async function serveRepository(host: string, name: string): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'slipway-self-test-'))
  await makeRepository(root, name)
  // Whoever reaches the port may ask for anything; none of it may end the test.
  const server = createServer(
    (request, response) => void answer(root, request, response).catch(() => response.destroy()),
  )
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/${name}.git`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await rm(root, { recursive: true, force: true })
    },
  }
}

const IDENTITY = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']

async function makeRepository(root: string, name: string): Promise<void> {
  const git = (...args: string[]) => run('git', args, { cwd: root })
  await git('init', '--quiet', '--initial-branch=main', 'work')
  await git('-C', 'work', ...IDENTITY, 'commit', '--quiet', '--allow-empty', '--message=Begin')
  await git('clone', '--quiet', '--bare', 'work', `${name}.git`)
  await git('-C', `${name}.git`, 'config', 'http.receivepack', 'true')
}

/** Request in the environment and on stdin, headers and body on stdout (RFC 3875). */
async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      REMOTE_ADDR: request.socket.remoteAddress,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(backend.stdin)
  // A client that goes away closes the pipe; the response then says so too.
  backend.stdin.on('error', () => response.destroy())
  backend.on('error', () => response.writeHead(500).end())
  const output = await buffer(backend.stdout)
  const end = output.indexOf('\r\n\r\n')
  for (const line of output.subarray(0, Math.max(0, end)).toString().split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? []
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10)
    else if (name !== '') response.setHeader(name, value)
  }
  response.end(output.subarray(end + 4))
}
