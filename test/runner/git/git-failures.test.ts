import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a remote that fails', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function prepareFails(execution: TestExecution): Promise<string> {
    const end = await execution.step('prepare')
    assert.equal(end.exitCode, 1, end.stderr)
    const { outcome, error, step, pushed } = execution.result()
    assert.deepEqual([outcome, error?.category, step, pushed], ['failed', 'git', 'prepare', false])
    assert.match(readFileSync(join(root, 'termination-prepare'), 'utf8'), /"category":"git"/)
    return error?.message ?? ''
  }

  it('does not exist', async () => {
    const path = join(root, 'nowhere.git')
    const message = await prepareFails(makeExecution(root, { path }, 'true'))
    assert.match(message, /nowhere\.git does not exist/)
    assert.match(message, /fatal: /, "git's own words are missing")
  })

  it('is empty: the message says how to begin', async () => {
    const message = await prepareFails(makeExecution(root, makeRemote(root), 'true'))
    assert.match(message, /is empty.*git commit --allow-empty/)
  })

  it('has no such base branch', async () => {
    const remote = makeRemote(root, { a: '1' })
    const message = await prepareFails(makeExecution(root, remote, 'true', { baseBranch: 'release' }))
    assert.match(message, /has no branch release/)
  })

  for (const mirror of [undefined, '0123456789abcdef0123456789abcdef'])
    it(`is a shallow clone: nothing could be compared later ${mirror === undefined ? '' : '(with a mirror)'}`, async () => {
      const remote = makeRemote(root, { a: '1' })
      remote.commit('main', { a: '2' })
      const path = join(root, 'shallow.git')
      gitIn(root, 'clone', '--quiet', '--bare', '--depth=1', `file://${remote.path}`, path)
      const run = makeExecution(root, { path }, 'true', mirror === undefined ? {} : { mirror })
      assert.match(await prepareFails(run), /shallow\.git is a shallow clone .* git fetch --unshallow/)
    })

  it('is named by something that is no URL we use', async () => {
    for (const path of ['ext::sh -c touch% x', '--upload-pack=touch x', 'ftp://host/x', 'relative/path', '']) {
      const message = await prepareFails(makeExecution(root, { path }, 'true'))
      assert.match(message, /cannot be used/)
      removeFolder(join(root, 'volume'))
    }
  })

  it('cannot be reached', async () => {
    const message = await prepareFails(makeExecution(root, { path: 'http://127.0.0.1:1/x.git' }, 'true'))
    assert.match(message, /cannot be reached/)
  })

  it('refuses the push: the message carries what its hook said, and resuming delivers alone', async () => {
    const remote = makeRemote(root, { a: '1' })
    const hook = join(remote.path, 'hooks', 'pre-receive')
    mkdirSync(join(remote.path, 'hooks'), { recursive: true })
    writeFileSync(hook, '#!/bin/sh\necho "only on Fridays" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const execution = makeExecution(root, remote, 'echo 2 > b')
    assert.equal((await execution.all()).exitCode, 1)
    const { outcome, error, pushed, changes } = execution.result()
    assert.deepEqual([outcome, error?.category, pushed, changes?.files], ['failed', 'git', false, 1])
    assert.match(error?.message ?? '', /refused the push[^]*only on Fridays/)
    chmodSync(hook, 0o644)
    const base = execution.result().baseCommit ?? ''
    const resumed = makeExecution(root, remote, '', {
      execution: 'demo-2',
      keepClone: true,
      deliverOnly: true,
      baseCommit: base,
    })
    assert.equal((await resumed.all()).exitCode, 0)
    assert.equal(remote.git('show', 'slipway/demo:b'), '2')
  })

  it('never answers: SIGTERM ends git, and no result is written, so that the operator decides', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    try {
      const path = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x.git`
      const execution = makeExecution(root, { path }, 'true')
      const asked = once(silent, 'request')
      const child = execution.start('prepare')
      const end = finish(child)
      await asked
      child.kill('SIGTERM')
      assert.equal((await end).exitCode, 143)
      assert.equal(execution.exists('result.json'), false)
      assert.deepEqual(
        readdirSync(root).filter((name) => name.startsWith('slipway-prepare')),
        [],
        'a temporary folder is left',
      )
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  for (const [whose, change] of [
    ['remote', {}],
    ['project', { defaultBranch: 'trunk', baseBranch: 'main' }],
    ['task, which it is delivered to', { baseBranch: 'trunk', defaultBranch: 'main' }],
  ] as const)
    it(`is never pushed to on the default branch of the ${whose}`, async () => {
      const remote = makeRemote(root, { a: '1' })
      const branch = whose === 'remote' ? 'main' : 'trunk'
      if (branch === 'trunk') remote.git('branch', 'trunk', 'main')
      const before = remote.git('rev-parse', branch)
      const execution = makeExecution(root, remote, 'echo 2 > b', { branch, ...change })
      assert.equal((await execution.all()).exitCode, 1)
      assert.match(execution.result().error?.message ?? '', /default branch/)
      assert.equal(remote.git('rev-parse', branch), before)
    })
})

describe('a remote that wants a password', () => {
  let root = ''
  let server: Server
  let url = ''
  let seen: string[] = []
  beforeEach(async () => {
    root = makeFolder()
    const remote = makeRemote(root, { a: '1' })
    gitIn(remote.path, 'update-server-info')
    seen = []
    // Git's "dumb" protocol: files below the bare repository, for who knows the password.
    server = createServer((request, response) => {
      const given = request.headers.authorization
      if (given !== undefined) seen.push(Buffer.from(given.replace('Basic ', ''), 'base64').toString())
      if (seen.at(-1) !== 'robot:s3cret pass/word') {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
        return
      }
      try {
        response.end(readFileSync(join(remote.path, (request.url ?? '').replace(/^\/demo\.git|\?.*$/g, ''))))
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/demo.git`
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret', 'username'), 'robot')
    writeFileSync(join(root, 'secret', 'password'), 's3cret pass/word\n')
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    removeFolder(root)
  })

  it('fails without asking a terminal, and says where credentials go', async () => {
    const execution = makeExecution(root, { path: url }, 'true')
    assert.equal((await execution.step('prepare')).exitCode, 1)
    assert.equal(execution.result().error?.category, 'git')
    assert.match(execution.result().error?.message ?? '', /needs a password.*git\.secretName/)
  })

  it('is cloned with the credentials of its host, which leave no trace in the clone', async () => {
    const spec = { gitCredentialsDir: join(root, 'secret'), gitHost: new URL(url).host }
    const execution = makeExecution(root, { path: url }, 'true', spec)
    const end = await execution.step('prepare')
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(gitIn(execution.clone, 'config', 'remote.origin.url'), url)
    assert.ok(!readFileSync(join(execution.clone, '.git', 'config'), 'utf8').includes('s3cret'))
  })

  it('is never sent the credentials of another host, or of another port of its own', async () => {
    for (const gitHost of ['git.example.com', '127.0.0.1', 'http://127.0.0.1']) {
      const spec = { gitCredentialsDir: join(root, 'secret'), gitHost }
      const execution = makeExecution(root, { path: url }, 'true', spec)
      assert.equal((await execution.step('prepare')).exitCode, 1)
      assert.deepEqual(seen, [], gitHost)
    }
  })

  it('never shows a password of its URL: not in logs, results or the clone', async () => {
    for (const password of ['s3cret%20pass%2Fword', 'wr0ng-one']) {
      const path = url.replace('http://', `http://robot:${password}@`)
      const execution = makeExecution(root, { path }, 'cat .git/config; env')
      const end = await execution.step('prepare')
      assert.equal(end.exitCode, password === 'wr0ng-one' ? 1 : 0, end.stderr)
      await execution.step('agent')
      const shown = [
        end.stdout,
        end.stderr,
        execution.exists('result.json') ? execution.read('result.json') : '',
        execution.read('agent/stdout.log'),
      ]
      assert.ok(!/s3cret|wr0ng/.test(shown.join()), shown.join())
      removeFolder(join(root, 'volume'))
      seen = []
    }
  })
})
