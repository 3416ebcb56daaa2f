/**
 * Marker credentials are planted wherever a person may put one; then everything that the program shows, stores or
 * starts is searched for them. Only the places that exist to hold them are left out.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { WebSocket } from 'ws'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { createTransport } from '../../core/rest/client/call.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { filesWith, watchCommandLines } from '../helpers/leaks.ts'
import { type GitOverHttp, serveGitOverHttp } from '../helpers/git-over-http.ts'
import { type KubeHttp, connectKube } from '../helpers/kube-http.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { type StartedSlipway, runSlipway, startSlipway, printed } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { kindPath } from './installation.ts'

const GIT = 'marker-of-the-git-secret'
const MODEL = 'marker-of-the-model-secret'
const TOKEN = 'marker-of-the-api-token'
const KINDS = ['tasks', 'executions', 'agents', 'projects', 'stories'].map((plural) => kindPath(plural))
const BUILT_IN = ['/api/v1', '/apis/batch/v1', '/apis/coordination.k8s.io/v1'].flatMap((group) =>
  ['pods', 'events', 'jobs', 'leases', 'configmaps'].map((plural) => `${group}/namespaces/default/${plural}`),
)

describe('credentials', function () {
  let folder = ''
  let dataDir = ''
  const messages: string[] = []
  let commandLines: readonly string[] = []
  let guarded: GitOverHttp
  let remote: Remote
  let program: StartedSlipway
  let kube: KubeHttp
  let api: ApiClient
  let socket: WebSocket

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-secrets-'))
    dataDir = join(folder, 'data')
    guarded = await serveGitOverHttp(folder, 'bob', GIT)
    remote = makeRemote(folder, { 'README.md': '# Private\n' })
    const args = ['serve', '--listen', '127.0.0.1:0', '--data-dir', dataDir]
    program = await startSlipway(args, { SLIPWAY_TOKEN: TOKEN, SLIPWAY_LOG_LEVEL: 'debug' })
    kube = connectKube(readFileSync(join(dataDir, 'kubeconfig'), 'utf8'))
    api = connectApi({ url: program.url, token: TOKEN, fetch })
    socket = new WebSocket(`${program.url.replace('http', 'ws')}/api/ws?token=${TOKEN}`)
    socket.on('message', (text: Buffer) => messages.push(text.toString()))
    await once(socket, 'open')
    await plantSecrets()
    const watch = watchCommandLines(5)
    await runTask().finally(() => (commandLines = watch.stop()))
  })

  after(async () => {
    socket.terminate()
    kube.close()
    await program.stop()
    await guarded.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function plantSecrets(): Promise<void> {
    const secret = (name: string, usableBy: string, data: Record<string, string>, annotations = {}) =>
      kube.send('POST', '/api/v1/namespaces/default/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, labels: { 'slipway.dev/usable-by': usableBy }, annotations },
        stringData: data,
      })
    const host = { 'slipway.dev/git-host': `http://${guarded.host}` }
    const git = await secret('git', 'git', { username: 'bob', password: GIT }, host)
    const model = await secret('model', 'agent', { token: MODEL })
    const project = await kube.send('POST', kindPath('projects'), {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Project',
      metadata: { name: 'private' },
      spec: { title: 'Private', remoteUrl: `http://${guarded.host}/remote.git`, git: { secretName: 'git' } },
    })
    const agent = await kube.send(
      'PATCH',
      kindPath('agents', 'script'),
      { spec: { credentials: { secretName: 'model', files: [{ key: 'token', path: 'token' }] } } },
      { 'content-type': 'application/merge-patch+json' },
    )
    const statuses = [git, model, project, agent].map(({ status }) => status)
    assert.deepEqual(statuses, [201, 201, 201, 200], [git, model, project, agent].map(({ text }) => text).join('\n'))
  }

  async function runTask(): Promise<void> {
    const look = `cat .git/config; env; tr '\\0' '\\n' </proc/$PPID/environ; cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'`
    const instructions = `{ ${look}; } 2>&1; sleep 0.3; echo done > new.txt`
    await api.createTask({
      body: { id: 'look', name: 'look', project: 'private', agent: { type: 'script', instructions } },
    })
    await api.runTask({ params: { id: 'look' } })
    await until('the task has ended', async () => !/QUEUED|RUNNING/.test(await stateOf()))
    const shown = JSON.stringify(await api.getTask({ params: { id: 'look' } }))
    assert.equal(await stateOf(), 'READY', shown)
    assert.equal(remote.git('show', 'slipway/look:new.txt'), 'done', 'the Secret was not used')
  }

  async function stateOf(): Promise<string> {
    return (await api.getTask({ params: { id: 'look' } })).state
  }

  function assertNone(places: Readonly<Record<string, string>>): void {
    for (const marker of [GIT, MODEL, TOKEN]) {
      const encoded = [marker, Buffer.from(marker).toString('base64')]
      const leaks = Object.entries(places).filter(([, text]) => encoded.some((spelling) => text.includes(spelling)))
      assert.deepEqual(leaks, [], marker)
    }
  }

  it('are on no command line, git’s and the sandbox’s own included', () => {
    if (process.platform === 'linux')
      assert.ok(
        commandLines.some((line) => line.includes('runner')),
        'saw no step',
      )
    assertNone({ commandLines: commandLines.join('\n') })
  })

  it('are in no object of the control plane but the Secrets', async () => {
    const places: Record<string, string> = {}
    for (const path of [...KINDS, ...BUILT_IN]) places[path] = (await kube.send('GET', path)).text
    assert.match(places[kindPath('executions')] ?? '', /look-1/)
    assertNone(places)
  })

  it('are in no live message and in no answer about the task', async () => {
    assert.ok(
      messages.some((text) => text.includes('task_completed')),
      'saw no message',
    )
    const paths = ['/api/tasks', '/api/executions', '/api/agents/status', '/api/tasks/look/manifest']
    const places: Record<string, string> = { messages: messages.join('\n') }
    const { text } = createTransport({ url: program.url, token: TOKEN, fetch })
    for (const path of paths) places[path] = await text({ method: 'GET', path })
    assertNone(places)
  })

  it('are in no line that the program printed, though the token came in a query', async () => {
    await fetch(`${program.url}/api/tasks/look/logs/stream?token=${TOKEN}`).then((response) => response.text())
    await printed(program, /logs\/stream\?token=\[redacted\]/)
    assertNone({ output: program.output() })
  })

  it('are in no file once the task has ended, the store apart', async () => {
    const kept = ['store', 'kubeconfig']
    const find = (): string[] =>
      [GIT, MODEL, TOKEN]
        .flatMap((marker) => filesWith(dataDir, marker))
        .map((path) => relative(dataDir, path))
        .filter((path) => !kept.includes(path.split('/')[0] ?? ''))
    await until('the mounts of the ended pod are removed', () => !find().some((path) => path.startsWith('node/')))
    assert.deepEqual(find(), [])
  })

  it('are not printed by slipway config', async () => {
    const { output } = await runSlipway(['config', '--data-dir', dataDir], { SLIPWAY_TOKEN: TOKEN })
    assert.match(output, /token:/)
    assertNone({ output })
  })
})
