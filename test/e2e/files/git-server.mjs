// Serves bare repositories below a folder over git's smart HTTP protocol, by git's own CGI program. On start it makes
// some, each with a first commit on main; private.git asks for the user and password that GIT_USERNAME and GIT_PASSWORD
// name (RFC 7617). As a code host it takes pull requests the way Gitea does, for who bears that password as a token.
import { spawn, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const [root, port] = process.argv.slice(2)

function makeRepository(name) {
  const bare = join(root, `${name}.git`)
  const work = join(root, `${name}-work`)
  const git = (...args) => execFileSync('git', args, { stdio: 'inherit' })
  mkdirSync(work)
  git('init', '--quiet', '--initial-branch=main', work)
  writeFileSync(join(work, 'README.md'), '# A repository\n')
  git('-C', work, 'add', '.')
  git('-C', work, '-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '-m', 'First commit')
  git('clone', '--quiet', '--bare', work, bare)
  git('-C', bare, 'config', 'http.receivepack', 'true')
}

/** CGI as RFC 3875 has it: request in the environment and on stdin, headers and body on stdout. */
function serve(request, response) {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_ADDR: request.socket.remoteAddress ?? '',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(backend.stdin)
  const chunks = []
  backend.stdout.on('data', (chunk) => chunks.push(chunk))
  backend.on('close', () => answer(response, Buffer.concat(chunks)))
}

function answer(response, output) {
  const end = output.indexOf('\r\n\r\n')
  const headers = output.subarray(0, end).toString().split('\r\n')
  let status = 200
  for (const line of headers) {
    const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? []
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else if (name !== '') response.setHeader(name, value)
  }
  response.writeHead(status)
  response.end(output.subarray(end + 4))
}

const { GIT_USERNAME, GIT_PASSWORD } = process.env
const expected = `Basic ${Buffer.from(`${GIT_USERNAME}:${GIT_PASSWORD}`).toString('base64')}`

/** While a file of this name lies in a repository, its requests for the service wait: test/e2e/holds.ts puts it there. */
async function waitWhileHeld({ url = '' }) {
  const [, repository, service] = /^\/([a-z-]+\.git)\/.*(git-(?:upload|receive)-pack)$/.exec(url) ?? []
  if (repository === undefined) return
  while (existsSync(join(root, repository, `held-${service}`))) await setTimeout(100)
}

async function guard(request, response) {
  await waitWhileHeld(request)
  if (request.url?.startsWith('/private.git/') && request.headers.authorization !== expected) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' })
    response.end('no\n')
    return
  }
  const [, repository] = /^\/api\/v1\/repos\/([a-z]+)\/pulls(?:$|\?)/.exec(request.url ?? '') ?? []
  if (repository === undefined) serve(request, response)
  else await takePullRequest(repository, request, response)
}

const pullRequests = []

/** GET and POST of /repos/{owner}/{repo}/pulls (docs.gitea.com/api); all of them are open, on one page. */
async function takePullRequest(repository, request, response) {
  const say = (status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (request.headers.authorization !== `Bearer ${GIT_PASSWORD}`) return say(401, { message: 'token required' })
  const own = pullRequests.filter((made) => made.repository === repository)
  if (request.method === 'GET') return say(200, request.url.includes('page=1') ? own : [])
  const { head, base, title, body } = JSON.parse(await readText(request))
  const number = pullRequests.length + 1
  const html_url = `http://${request.headers.host}/${repository}/pulls/${number}`
  const made = { repository, number, html_url, title, body, head: { ref: head }, base: { ref: base } }
  pullRequests.push(made)
  say(201, made)
}

async function readText(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

for (const name of ['sample', 'private', 'shop', 'stories', 'chain']) makeRepository(name)
createServer((request, response) => void guard(request, response)).listen(Number(port))
