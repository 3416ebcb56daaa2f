import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type RequestListener, type Server, createServer as createHttpServer } from 'node:http'
import { type Socket, createServer } from 'node:net'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { GitFailed } from '../../../lib/git.ts'
import { loginOptions } from '../../../lib/git-login.ts'
import { parseGitUrl } from '../../../lib/git-url.ts'
import { StepFailed } from '../../../runner/failure.ts'
import type { GitAccess } from '../../../runner/git/access.ts'
import { listRemoteBranches, pushCommit } from '../../../runner/git/remote.ts'
import { findNextTry, toExecutionError } from '../../../runner/steps/execution-error.ts'
import { runPaths } from '../../../runner/context.ts'
import { remoteLimitMs } from '../../../runner/limits.ts'
import { deliver } from '../../../runner/steps/deliver.ts'
import { prepare } from '../../../runner/steps/prepare.ts'
import { gitHandler } from '../../helpers/git-over-http.ts'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a remote that takes connections and never answers', () => {
  let root = ''
  let url = ''
  const silent = createServer()
  before(async () => {
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/a.git`
  })
  after(() => silent.close())
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  /** Whose limits of a minute and more are over as soon as the remote has been asked. */
  const fast: Clock = {
    now: systemClock.now,
    schedule(ms, run) {
      if (ms < 60_000) return systemClock.schedule(ms, run)
      silent.once('connection', run)
      return () => void silent.off('connection', run)
    },
  }

  it('ends prepare and deliver as FAILED git, naming command, host and what to do, in no more time than the agent has', async () => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'echo x > b')
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.equal((await execution.step('agent')).exitCode, 0)
    const run = { ...execution.spec, repositoryUrl: url, timeoutSeconds: 90 }
    const context = { run, paths: runPaths(run), clock: fast, tmp: root, env: {}, say: () => undefined }
    const stalled = { ...context, signal: new AbortController().signal }
    const message = (command: string, next: string) =>
      new RegExp(
        `^git ${command} did not finish within 1m30s at ${url}: check the network and the server; then ${next}`,
      )
    assert.equal(await deliver(stalled), 1)
    assert.ok(execution.result().resumeAfter, 'it is not tried again')
    assert.match(execution.result().error?.message ?? '', message('ls-remote', 'resume the task'))
    const second = makeExecution(root, { path: url }, '', { ...run, execution: 'demo-2' })
    assert.equal(await prepare({ ...stalled, run: second.spec, paths: runPaths(second.spec) }), 1)
    assert.deepEqual(second.result().error?.category, 'git')
    assert.match(second.result().error?.message ?? '', message('clone', 'run the task again'))
    assert.ok(second.result().resumeAfter, 'it is not tried again')
  })

  it('has at least a minute, and ten at most', () => {
    const limits = [1, 90, 3600].map((timeoutSeconds) => remoteLimitMs({ timeoutSeconds }))
    assert.deepEqual(limits, [60_000, 90_000, 600_000])
  })
})

describe('a remote that answers too slowly', () => {
  let root = ''
  let server: Server
  const sockets = new Set<Socket>()
  beforeEach(() => (root = makeFolder()))
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
    await once(server, 'close')
    removeFolder(root)
  })

  const login = { username: 'ada', password: 'secret' }
  /** Reaches the server with a limit of a second in place of two minutes. */
  async function listen(answer: RequestListener): Promise<GitAccess> {
    server = createHttpServer(answer).listen(0, '127.0.0.1')
    server.on('connection', (socket: Socket) => sockets.add(socket))
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/remote.git`
    const { env, config } = loginOptions(parseGitUrl(url), login)
    const options = {
      env: { ...env, GIT_ALLOW_PROTOCOL: 'http' },
      config: [...config, ['http.lowSpeedTime', '1']],
    } as const
    return { url, isLocal: false, options, redact: (text) => text }
  }
  const never = new AbortController().signal
  async function failureOf(work: Promise<unknown>, url: string): Promise<string> {
    const error = await work.then(
      () => assert.fail('it did not fail'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof GitFailed)
    assert.deepEqual(findNextTry(error, new Date(0)), { resumeAfter: '1970-01-01T00:01:00Z' })
    const { category, message } = toExecutionError(error, url, (text) => text, 'resume the task')
    assert.equal(category, 'git')
    return message
  }

  it('ends a fetch that gets a byte a second', async () => {
    const access = await listen((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' })
      const drip = (): void => {
        response.write('0')
        if (!response.destroyed) systemClock.schedule(1000, drip)
      }
      drip()
    })
    const message = await failureOf(listRemoteBranches(access, ['main'], never), access.url)
    assert.match(
      message,
      new RegExp(`^the host of ${access.url} stopped answering git ls-remote: .*; then resume the task`),
    )
  })

  it('ends a push that stalls', async () => {
    const remote = makeRemote(root, { a: '1' })
    const backend = gitHandler(root, login.username, login.password)
    const access = await listen((request, response) => {
      // The refs are told, and what is pushed then is never read.
      if (request.method === 'GET') backend(request, response)
    })
    const commit = gitIn(remote.path, 'commit-tree', '-p', 'main', '-m', 'more', 'main^{tree}')
    const pushed = pushCommit(access, { gitDir: remote.path, commit, branch: 'work' }, never)
    assert.match(await failureOf(pushed, access.url), /^the host of \S+ stopped answering git push: check/)
  })
})

describe('another try of what git failed at', () => {
  const failed = (stderr: string) => findNextTry(new GitFailed('push', 128, stderr), new Date(0)).resumeAfter
  const delivered = (stderr: string) => findNextTry(new GitFailed('push', 1, stderr), new Date(0), true).resumeAfter

  for (const stderr of [
    "fatal: unable to access 'https://h/a/': The requested URL returned error: 503",
    "fatal: unable to access 'https://h/a/': The requested URL returned error: 429",
    'fatal: unable to access: Failed to connect to h port 443: Connection refused',
    'error: RPC failed; curl 56 Recv failure: Connection reset by peer',
    'fatal: the remote end hung up unexpectedly',
    'Timeout, server h not responding.',
    'fatal: unable to access: Failed to connect to h port 443\nfatal: could not fetch 0123abc from promisor remote',
    'remote: error: pack-objects died of signal 9\nfatal: early EOF',
  ]) {
    it(`is made after: ${stderr}`, () => assert.ok(failed(stderr)))
  }
  for (const stderr of [
    "fatal: Authentication failed for 'https://h/a/'",
    'fatal: unable to access: Could not resolve host: gti.example',
    "fatal: repository 'https://h/a/' not found",
    'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up unexpectedly',
    ' ! [remote rejected] x -> x (pre-receive hook declined)',
    'remote: fatal: could not fetch 0123abc from promisor remote\nfatal: early EOF',
  ]) {
    it(`is not made after: ${stderr}`, () => assert.equal(failed(stderr), undefined))
  }

  it('is made of a delivery that a hook declined, whose checks may be under way, and not of one to a checked-out branch', () => {
    assert.ok(delivered(' ! [remote rejected] x -> main (pre-receive hook declined)'))
    assert.equal(delivered(' ! [remote rejected] x -> main (branch is currently checked out)'), undefined)
    assert.equal(findNextTry(new StepFailed('git', 'branch x is gone'), new Date(0), true).resumeAfter, undefined)
  })
})
