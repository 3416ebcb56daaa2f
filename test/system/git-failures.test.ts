import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { type GitOverHttp, serveGitOverHttp } from '../helpers/git-over-http.ts'
import { filesWith } from '../helpers/leaks.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation } from './installation.ts'

const PASSWORD = 'hunter2-do-not-show'

describe('a repository that cannot be used', function () {
  let installation: Installation
  let server: Server
  let guarded: GitOverHttp

  before(async () => {
    installation = makeInstallation()
    guarded = await serveGitOverHttp(installation.folder, 'bob', PASSWORD)
    makeRemote(installation.folder, { 'README.md': '# Private\n' })
    server = await installation.start()
  })

  after(async () => {
    await installation.dispose()
    await guarded.close()
  })

  const privateUrl = (userinfo = ''): string => `http://${userinfo}${guarded.host}/remote.git`

  /** A project of the private repository, with a login for it. */
  async function registerPrivate(id: string, password: string): Promise<void> {
    const metadata = {
      name: id,
      labels: { 'slipway.dev/usable-by': 'git' },
      annotations: { 'slipway.dev/git-host': `http://${guarded.host}` },
    }
    const secret = { metadata, type: 'kubernetes.io/basic-auth', stringData: { username: 'bob', password } }
    const stored = await server.kube.send('POST', '/api/v1/namespaces/default/secrets', secret)
    assert.equal(stored.status, 201)
    const project = { id, name: id, remote_url: privateUrl(), git: { secret_name: id } }
    const made = await server.call('POST', '/api/projects', project)
    assert.equal(made.status, 201, made.text)
  }

  async function failureOf(id: string, repository: string | undefined, script = 'true') {
    await server.create(id, script, repository === undefined ? {} : { repository_url: repository })
    await server.run(id)
    return server.reaches(id, 'FAILED')
  }

  it('fails a task without one with the contract’s message', async () => {
    const task = await failureOf('none', undefined)
    assert.equal(task['error'], 'task has no repository_url')
    assert.equal(task['error_category'], 'no_repository')
  })

  it('fails a task whose repository does not exist with git’s own message', async () => {
    const task = await failureOf('missing', join(installation.folder, 'nowhere.git'))
    assert.equal(task['error_category'], 'git')
    assert.match(String(task['error']), /nowhere\.git.*(does not exist|does not appear to be a git repository)/s)
  })

  it('fails a task whose repository needs a password, without waiting for somebody to type one', async () => {
    const task = await failureOf('locked', privateUrl())
    assert.equal(task['error_category'], 'git')
    assert.match(String(task['error']), /could not read Username|Authentication failed|401/)
  })

  it('refuses a repository URL with a password, which everybody could read in the task', async () => {
    const refused = await server.call('POST', '/api/tasks', {
      name: 'x',
      repository_url: privateUrl(`bob:${PASSWORD}@`),
    })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /must not carry a password/)
    assert.ok(!refused.text.includes(PASSWORD))
  })

  it('never shows the wrong password of a git Secret', async () => {
    await registerPrivate('wrong', `not-${PASSWORD}`)
    await server.create('secret', 'true', { project: 'wrong' })
    await server.run('secret')
    const task = await server.reaches('secret', 'FAILED')
    assert.equal(task['error_category'], 'git')
    assert.match(String(task['error']), /Authentication failed|401/)
    const execution = await server.kube.send('GET', kindPath('executions', 'secret-1'))
    const events = await server.kube.send('GET', '/api/v1/namespaces/default/events')
    const seen = { error: task['error'], execution, events, output: server.program.output() }
    const leaks = Object.entries(seen).filter(([, found]) => JSON.stringify(found).includes(PASSWORD))
    assert.deepEqual(
      leaks.map(([place]) => place),
      [],
    )
    assert.deepEqual(filesWith(installation.executionFile('secret-1', ''), PASSWORD), [])
  })

  it('clones and pushes with the password of a git Secret, which the script finds nowhere', async () => {
    const look = 'cat .git/config; env; tr "\\0" "\\n" < /proc/1/environ; tr "\\0" "\\n" < "/proc/$PPID/environ"'
    await registerPrivate('right', PASSWORD)
    await server.create('curious', `{ ${look}; } 2>&1; echo > new.txt`, { project: 'right' })
    await server.run('curious')
    await server.reaches('curious', 'READY')
    const stdout = readFileSync(installation.executionFile('curious-1', 'agent/stdout.log'), 'utf8')
    assert.match(stdout, /SERVICE_TASK_ID=curious/)
    assert.ok(!stdout.includes(PASSWORD), stdout)
    assert.deepEqual(filesWith(join(installation.dataDir, 'volume'), PASSWORD), [])
  })

  it('fails a task whose repository is empty and says so', async () => {
    const empty = makeRemote(join(installation.folder, 'empty'))
    const task = await failureOf('empty', empty.path)
    assert.equal(task['error_category'], 'git')
    assert.match(String(task['error']), /empty|no commit/)
  })

  it('fails a task whose push is refused with what the hook said, and pushes nothing', async () => {
    const strict = makeRemote(join(installation.folder, 'strict'), { 'README.md': '# Strict\n' })
    const hook = join(strict.path, 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "only on Tuesdays" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const task = await failureOf('refused', strict.path, 'echo ran >> "$SERVICE_DROP_DIR/runs"; echo work > work.txt')
    assert.equal(task['error_category'], 'git')
    assert.match(String(task['error']), /only on Tuesdays/)
    assert.equal(strict.git('branch', '--list', 'slipway/*'), '')
  })

  it('delivers the refused work without running the script again, once the remote allows it', async () => {
    const hook = join(installation.folder, 'strict', 'remote.git', 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\nexit 0\n')
    const reply = await server.call('POST', '/api/tasks/refused/resume')
    assert.equal(reply.status, 202, reply.text)
    await server.reaches('refused', 'READY')
    assert.equal(readFileSync(join(installation.dataDir, 'volume', 'drops', 'runs'), 'utf8'), 'ran\n')
  })

  it('drains nobody', async () => {
    await until('the agent is idle', async () => {
      const { body } = await server.call('GET', '/api/agents/status')
      const agents = Array.isArray(body['agents']) ? body['agents'].map(asRecord) : []
      return agents.find(({ agent }) => agent === 'script')?.['state'] === 'idle'
    })
  })
})
