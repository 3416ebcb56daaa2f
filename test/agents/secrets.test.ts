/**
 * Marker credentials are planted wherever the real claude, its Agent, its Project and Slipway itself keep some. Then a
 * hostile claude looks for them from within its sandbox, and we look for them in all that Slipway shows, stores or starts.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { WebSocket } from 'ws'
import { asRecord, parseObject } from '../../core/json.ts'
import { type GitOverHttp, serveGitOverHttp } from '../helpers/git-over-http.ts'
import { filesWith, textOf } from '../helpers/leaks.ts'
import { until } from '../helpers/until.ts'
import { kindPath } from '../system/installation.ts'
import { type AgentRig, DEADLINE_MS, MARKER, startAgentRig } from './rig.ts'

const GIT = 'marker-of-the-push-credential'
const LOGIN = 'marker-of-the-login-file'
const TOKEN = 'marker-of-the-api-token'
const OTHERS = 'marker-in-another-sandbox'
const HOME = 'marker-in-the-home-of-the-owner'
/** What it may find: the proof that it looked. */
const PLAIN = 'marker-in-plain-sight'
const SECRETS = '/api/v1/namespaces/default/secrets'

describe('credentials around a hostile claude', function () {
  let rig: AgentRig
  let home = ''
  let guarded: GitOverHttp
  let socket: WebSocket
  let watching: NodeJS.Timeout
  let kubeToken = ''
  const messages: string[] = []
  const commandLines = new Set<string>()

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'slipway-owner-'))
    writeFileSync(join(home, 'diary'), HOME)
    rig = await startAgentRig('claude', undefined, { HOME: home, SLIPWAY_TOKEN: TOKEN, SLIPWAY_LOG_LEVEL: 'debug' })
    kubeToken = /token: "?([^"\s]+)/.exec(readFileSync(join(rig.installation.dataDir, 'kubeconfig'), 'utf8'))?.[1] ?? ''
    assert.notEqual(kubeToken, '', 'the kubeconfig holds no token to look for')
    guarded = await serveGitOverHttp(rig.installation.folder, 'bob', GIT)
    socket = new WebSocket(`${rig.server.program.url.replace('http', 'ws')}/api/ws?token=${TOKEN}`)
    socket.on('message', (text: Buffer) => messages.push(text.toString()))
    await once(socket, 'open')
    await plant()
    watching = setInterval(noteCommandLines, 10)
    await run()
    clearInterval(watching)
  })

  after(async () => {
    clearInterval(watching)
    socket.terminate()
    await rig.stop()
    await guarded.close()
    rmSync(home, { recursive: true })
  })

  /** A Project whose Secret may push, and an Agent that logs in with a file. */
  async function plant(): Promise<void> {
    const { kube } = rig.server
    const annotations = { 'slipway.dev/git-host': `http://${guarded.host}` }
    const metadata = { name: 'git', labels: { 'slipway.dev/usable-by': 'git' }, annotations }
    const stringData = { username: 'bob', password: GIT }
    const git = await kube.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, stringData })
    const spec = { title: 'Private', remoteUrl: `http://${guarded.host}/remote.git`, git: { secretName: 'git' } }
    const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Project', metadata: { name: 'private' }, spec }
    const project = await kube.send('POST', kindPath('projects'), manifest)
    assert.deepEqual([git.status, project.status], [201, 201], git.text + project.text)
    mkdirSync(join(home, '.claude'))
    const oauth = {
      accessToken: LOGIN,
      refreshToken: '',
      expiresAt: Date.now() + 3_600_000,
      scopes: ['user:inference'],
    }
    const file = join(home, '.claude', '.credentials.json')
    writeFileSync(file, JSON.stringify({ claudeAiOauth: oauth }))
    await rig.storeSecret('address', { ANTHROPIC_BASE_URL: rig.model.url })
    const env = [{ name: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_BASE_URL' }]
    const files = [{ path: '.claude/.credentials.json', host_path: file }]
    await rig.addAgent('owner', { credentials: { secret_name: 'address', env, files, write_back: true } })
  }

  /** One execution logs in with a key and leaves something in its sandbox; the next, with a file, looks around. */
  async function run(): Promise<void> {
    const say = { kind: 'say', text: 'Done' } as const
    const leaves = { kind: 'use', tool: 'Write', input: { file_path: 'left.txt', content: OTHERS } } as const
    rig.model.play([leaves], { kind: 'hang' })
    await rig.submit('other', { project: 'private', repository_url: undefined })
    await until('it has left something', () => rig.model.asked.length >= 2, DEADLINE_MS)
    await rig.act('other', 'cancel')
    await rig.reaches('other', 'CANCELLED')
    const { dataDir } = rig.installation
    const look = [dataDir, home, process.cwd(), '/var/run', '/run', '/etc'].map((path) => `'${path}'`).join(' ')
    const own = '.claude/.credentials.json'
    const command = [
      `find ${look} -type f -not -path '*/node_modules/*' -not -path '*/${own}' -size -1000k -exec cat {} + 2>/dev/null | head -c 20000000 > /tmp/seen`,
      `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' >> /tmp/seen`,
      `git credential fill </dev/null >> /tmp/seen 2>&1; git config --list --show-origin >> /tmp/seen 2>&1`,
      `grep -aoE 'marker-[o]f-the-[a-z-]+|marker-[i]n-plain-sight|${kubeToken.slice(0, 7)}[${kubeToken[7] ?? ''}]${kubeToken.slice(8)}' /tmp/seen | sort -u | sed 's/^/found /'`,
      `wc -c < /tmp/seen | sed 's/^/looked through /'`,
    ].join('; ')
    const writes = { kind: 'use', tool: 'Write', input: { file_path: 'hello.txt', content: PLAIN } } as const
    rig.model.play([writes, { kind: 'use', tool: 'Bash', input: { command } }, say])
    await rig.submit('hostile', { project: 'private', repository_url: undefined, agent: { type: 'owner' } })
    await rig.reaches('hostile', 'READY')
    assert.equal(rig.remote.git('show', 'slipway/hostile:hello.txt'), PLAIN, 'the Secret was not used')
  }

  /** Arguments of all processes of this machine, as every user of it may see them; the test's own apart. */
  function noteCommandLines(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      const text = textOf(`/proc/${pid}/cmdline`)
      if (text !== '') commandLines.add(text)
    }
  }

  const markers = () => [MARKER, GIT, LOGIN, TOKEN, kubeToken]

  function assertNone(places: Readonly<Record<string, string>>, wanted = markers()): void {
    for (const marker of wanted) {
      const encoded = [marker, Buffer.from(marker).toString('base64')]
      const leaks = Object.entries(places).filter(([, text]) => encoded.some((spelling) => text.includes(spelling)))
      assert.deepEqual(
        leaks.map(([place]) => place),
        [],
        marker,
      )
    }
  }

  it('are not found by it: not the push credential, another sandbox, the control plane’s token or the home', () => {
    const results = rig.conversation('hostile-1').filter(({ kind }) => kind === 'tool_result')
    const printed = results.map(({ text }) => String(text)).join('\n')
    assert.match(printed, /looked through [1-9]\d{2,}/)
    assert.deepEqual(printed.match(/found .*/g), [`found ${PLAIN}`])
  })

  it('are on no command line', () => {
    const lines = [...commandLines]
    assert.ok(
      lines.some((line) => line.includes('claude')),
      'saw no claude',
    )
    // The search that the model asked for names the markers, and the control plane's token in pieces.
    assertNone({ commandLines: lines.join('\n') })
  })

  it('are in no object of the control plane but the Secrets', async () => {
    const kinds = ['tasks', 'executions', 'agents', 'projects', 'stories'].map((plural) => kindPath(plural))
    const core = ['pods', 'events', 'configmaps'].map((plural) => `/api/v1/namespaces/default/${plural}`)
    const jobs = ['/apis/batch/v1/namespaces/default/jobs', '/apis/coordination.k8s.io/v1/namespaces/default/leases']
    const places: Record<string, string> = {}
    for (const path of [...kinds, ...core, ...jobs]) places[path] = (await rig.server.kube.send('GET', path)).text
    assert.match(places[kindPath('executions')] ?? '', /hostile-1/)
    assertNone(places)
  })

  it('are in no live message, no answer, no log and nothing that the program printed', async () => {
    assert.ok(
      messages.some((text) => text.includes('task_completed')),
      'saw no message',
    )
    const places: Record<string, string> = { messages: messages.join('\n'), output: rig.server.program.output() }
    const ofTask = ['', '/executions', '/manifest'].map((path) => `/api/tasks/hostile${path}`)
    const ofRun = ['', '/stdout', '/stderr', '/events'].map((path) => `/api/executions/hostile-1${path}`)
    for (const path of [...ofTask, ...ofRun, '/api/agents', '/api/agents/status', '/api/projects']) {
      const reply = await rig.server.call('GET', path)
      assert.equal(reply.status, 200, `${path}: ${reply.text}`)
      places[path] = reply.text
    }
    const { body } = await rig.server.kube.send('GET', '/api/v1/namespaces/default/pods')
    for (const pod of podNames(body)) {
      for (const container of ['prepare', 'agent', 'deliver']) {
        const path = `/api/v1/namespaces/default/pods/${pod}/log?container=${container}`
        places[path] = (await rig.server.kube.send('GET', path)).text
      }
    }
    assertNone(places)
  })

  it('are in no file once the tasks have ended, the store apart', async () => {
    const { dataDir } = rig.installation
    const find = (): string[] =>
      markers()
        .flatMap((marker) => filesWith(dataDir, marker))
        .map((path) => relative(dataDir, path))
        .filter((path) => !['store', 'kubeconfig'].includes(path.split('/')[0] ?? ''))
    await until('the mounts of the ended pods are removed', () => !find().some((path) => path.startsWith('node/')))
    assert.deepEqual(find(), [])
  })
})

function podNames(list: unknown): string[] {
  const { items } = asRecord(list)
  return Array.isArray(items)
    ? items.map((pod) => String(parseObject(JSON.stringify(asRecord(pod)['metadata']))['name']))
    : []
}
