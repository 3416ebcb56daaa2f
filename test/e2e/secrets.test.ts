/**
 * Marker credentials are planted wherever an installation keeps some. A hostile script looks for them from within its
 * pod, beside another one that holds some of them; then all that the cluster shows, stores or starts is searched.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { WebSocket } from 'ws'
import { asRecord } from '../../core/json.ts'
import { filesWith, textOf } from '../helpers/leaks.ts'
import { until } from '../helpers/until.ts'
import {
  API_SERVERS,
  api,
  describeOnThisNode,
  dig,
  GIT_SERVER,
  gitOnServer,
  isStepRunning,
  kubectl,
  kubectlJson,
  kubectlWith,
  labelled,
  makeProject,
  MINUTE,
  NAMESPACE,
  podsOf,
  readSecret,
  records,
  SERVER_URL,
  task,
  TOKEN,
  untilState,
} from './cluster.ts'
import { hostileScript, LINKED_OUTPUT } from './hostile.ts'

const mark = (what: string): string => `slipmark-of-${what}-${randomBytes(8).toString('hex')}`

const KEYS = { keeper: mark('model-key'), hostile: mark('own-key') }
const LOGINS = { keeper: mark('login-file'), hostile: mark('own-login') }
const markers = [
  ...Object.values(KEYS),
  ...Object.values(LOGINS),
  TOKEN,
  await readSecret('git-credentials', 'password'),
]
const LOGIN_FILE = '.claude/.credentials.json'

/** Leaves a marker of its own making in its sandbox, and is there until the other has looked; then it lays traps too. */
const KEEPER = `IFS= read -r prompt
mark=slipmark-of-other-sandbox-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
printf '%s\\n' "$mark" | tee left.txt > "$HOME/left.txt"
until [ -e "$SERVICE_DROP_DIR/looked" ]; do sleep 0.2; done
${LINKED_OUTPUT}
printf '%s\\n' "$1"; cat > /dev/null`

const DONE = JSON.stringify({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  session_id: 's-1',
  total_cost_usd: 0.01,
  result: 'Done',
})

/** An Agent whose Secret holds a key and a login; created through stdin, so that they are on no command line. */
async function makeAgent(id: 'keeper' | 'hostile', fields: object): Promise<void> {
  const metadata = { name: `${id}-keys`, labels: { 'slipway.dev/usable-by': 'agent' } }
  const stringData = { key: KEYS[id], login: JSON.stringify({ accessToken: LOGINS[id] }) }
  await kubectlWith(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, stringData }), 'apply', '-f', '-')
  const env = [{ name: 'ANTHROPIC_API_KEY', key: 'key' }]
  const files = [{ path: LOGIN_FILE, key: 'login' }]
  const credentials = { secret_name: `${id}-keys`, env, files }
  await api.createAgent({ body: { id, adapter: 'script', classifier: { enabled: false }, credentials, ...fields } })
}

async function run(id: string, instructions: string): Promise<void> {
  await api.createTask({ body: { id, name: id, project: 'guarded', agent: { type: id, instructions } } })
  await api.runTask({ params: { id } })
}

/** The token by which a part is known to the control plane. */
async function accountTokenOf(part: string): Promise<string> {
  const path = '/var/run/secrets/kubernetes.io/serviceaccount/token'
  return (await kubectl('exec', `deployment/slipway-${part}`, '--', 'cat', path)).trim()
}

/** What the cluster and its parts answer at, from within a pod. */
async function findAddresses(): Promise<string[]> {
  const [node] = records((await kubectlJson('get', 'nodes'))['items'])
  const host = records(dig(node, 'status', 'addresses')).find(({ type }) => type === 'InternalIP')?.['address']
  const parts = await labelled('pods', 'app.kubernetes.io/name=slipway')
  const metrics = parts.map((pod) => `http://${String(dig(pod, 'status', 'podIP'))}:9464/metrics`)
  // Without a NetworkPolicy its port is open to every pod: the token alone guards it.
  const servers = await labelled('pods', API_SERVERS)
  const own = servers.flatMap((pod) => {
    const port = records(dig(records(dig(pod, 'spec', 'containers'))[0], 'ports')).find(({ name }) => name === 'http')
    const url = `http://${String(dig(pod, 'status', 'podIP'))}:${String(port?.['containerPort'])}`
    return ['tasks', 'executions/keeper-1/stdout', 'drops', 'ws'].map((path) => `${url}/api/${path}`)
  })
  const kube = `/api/v1/namespaces/${NAMESPACE}`
  return [
    'http://169.254.169.254/latest/meta-data/',
    ...['secrets', 'pods', 'configmaps'].map((plural) => `https://kubernetes.default.svc${kube}/${plural}`),
    `https://${String(host)}:6443${kube}/secrets`,
    ...['pods', 'runningpods/', 'configz'].map((path) => `https://${String(host)}:10250/${path}`),
    `http://${String(host)}:10255/pods`,
    `http://${String(host)}:2379/version`,
    `http://slipway-api-server.${NAMESPACE}.svc/api/tasks`,
    `http://slipway-api-server.${NAMESPACE}.svc/api/agents`,
    `http://${GIT_SERVER}/private.git/info/refs?service=git-upload-pack`,
    ...own,
    ...metrics,
  ]
}

describeOnThisNode('credentials around a hostile script in a pod', function () {
  this.timeout(6 * MINUTE)
  let socket: WebSocket
  let watching: NodeJS.Timeout
  let urls: readonly string[] = []
  let answers = new Map<string, string>()
  let asked = new Map<string, string>()
  const messages: string[] = []
  const commandLines = new Set<string>()

  before(async () => {
    await makeProject('guarded', {
      remote_url: `http://${GIT_SERVER}/private.git`,
      git: { secret_name: 'git-credentials' },
    })
    for (const part of ['operator', 'api-server']) markers.push(await accountTokenOf(part))
    await makeAgent('keeper', { adapter: 'claude', command: ['bash', '-c', KEEPER, 'claude', DONE] })
    await makeAgent('hostile', {})
    const live = SERVER_URL.replace('http', 'ws')
    socket = new WebSocket(`${live}/api/ws?token=${TOKEN}`)
    socket.on('message', (text: Buffer) => messages.push(text.toString()))
    await once(socket, 'open')
    watching = setInterval(noteCommandLines, 25)
    await run('keeper', 'Keep it.')
    await until('keeper is at work', () => isStepRunning('keeper', 'agent'), 2 * MINUTE)
    urls = await findAddresses()
    await run('hostile', hostileScript({ other: 'keeper', gitServer: GIT_SERVER, urls }))
    await untilState('hostile', 'READY', 3 * MINUTE)
    await untilState('keeper', 'FAILED', 2 * MINUTE)
    clearInterval(watching)
    const lines = (await api.getExecutionStdout({ params: { id: 'hostile-1' } })).trim().split('\n')
    answers = new Map(lines.map((line) => [line.replace(/: .*/, ''), line.replace(/^[^:]*: ?/, '').trim()]))
    const replies = lines.filter((line) => line.startsWith('asked: ')).map((line) => line.split(' '))
    asked = new Map(replies.map(([, url = '', status = '']) => [url, status]))
  })

  after(() => {
    clearInterval(watching)
    socket.terminate()
  })

  /** Of all processes of the node, which is this machine; the test's own apart. */
  function noteCommandLines(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      const text = textOf(`/proc/${pid}/cmdline`)
      if (text !== '') commandLines.add(text)
    }
  }

  function assertNone(places: Readonly<Record<string, string>>): void {
    for (const marker of markers) {
      const spellings = [marker, Buffer.from(marker).toString('base64')]
      const leaks = Object.entries(places).filter(([, text]) => spellings.some((spelling) => text.includes(spelling)))
      const what = marker.startsWith('slipmark') ? marker.replace(/-[^-]*$/, '') : 'token of an account'
      assert.deepEqual(
        leaks.map(([place]) => place),
        [],
        what,
      )
    }
  }

  it('are found by it only where they are its own', () => {
    const own = { environment: 'own-key', files: 'own-login plain-sight' }
    const places = ['environment', 'arguments', 'files', 'mounts', 'upwards', 'links', 'git', 'network']
    assert.deepEqual(
      places.map((place) => [place, answers.get(place)]),
      places.map((place) => [place, Object.entries(own).find(([name]) => name === place)?.[1] ?? '']),
    )
  })

  it('are behind no address that it can ask: each refuses it, or says nothing secret', () => {
    assert.deepEqual([...asked.keys()].sort(), [...urls].sort())
    const isRefused = (status: string): boolean => ['401', '403', 'unreachable'].includes(status)
    const open = urls.filter((url) => !isRefused(asked.get(url) ?? ''))
    assert.deepEqual(
      open.filter((url) => !url.endsWith(':9464/metrics')),
      [],
    )
  })

  it('do not get it past the deliver step: what it left in its clone ran nowhere, and it pushed nothing itself', async () => {
    const { branch } = await task('hostile')
    assert.deepEqual((await gitOnServer('private', 'ls-tree', '--name-only', String(branch))).trim().split('\n'), [
      'README.md',
      'environ-in-the-clone',
      'plain.txt',
    ])
    assert.equal(await gitOnServer('private', 'for-each-ref', 'refs/heads/stolen'), '')
  })

  it('are on no command line of the node', () => {
    const lines = [...commandLines].map((line) => line.replaceAll('\0', ' '))
    assert.ok(
      lines.some((line) => line.includes('SERVICE_DROP_DIR/looked')),
      'saw no keeper',
    )
    assertNone({ 'command lines': lines.join('\n') })
  })

  it('are in no object of the namespace but the Secrets', async () => {
    const kinds = (await kubectl('api-resources', '--namespaced', '--verbs=list', '-o', 'name')).trim().split('\n')
    const open = kinds.filter((name) => name !== 'secrets').join(',')
    const objects = records((await kubectlJson('get', open))['items'])
    const places = objects.map((object) => {
      const { kind, metadata } = object
      return [`${String(kind)} ${String(dig(metadata, 'name'))}`, JSON.stringify(object)] as const
    })
    for (const kind of ['Job', 'Pod', 'Event', 'Execution']) {
      assert.ok(
        places.some(([place]) => place.startsWith(`${kind} hostile-1`)),
        `saw no ${kind}`,
      )
    }
    assertNone(Object.fromEntries(places))
  })

  it('are in no log of any container', async () => {
    const pods = [
      ...(await labelled('pods', 'app.kubernetes.io/name=slipway')),
      ...(await podsOf('keeper')),
      ...(await podsOf('hostile')),
    ]
    const names = [...pods.map((pod) => String(dig(pod, 'metadata', 'name'))), 'git-server']
    assert.equal(names.length, 7)
    const places: Record<string, string> = {}
    for (const name of names) places[name] = await kubectl('logs', name, '--all-containers', '--tail=-1')
    assertNone(places)
  })

  it('are in no live message and no answer of the API, whatever links it left for the server to follow', async () => {
    assert.ok(
      messages.some((text) => text.includes('task_completed')),
      'saw no message',
    )
    const places: Record<string, string> = { messages: messages.join('\n') }
    const traps = [1, 2, 3, 4, 5].flatMap((n) => [
      `/api/executions/hostile-1/artifacts/trap-${n}`,
      `/api/drops/trap-${n}`,
    ])
    const ofRun = ['', '/stdout', '/stderr', '/diff', '/events', '/artifacts', '/manifest']
    const ofTask = ['', '/executions', '/manifest']
    for (const path of [
      ...['keeper', 'hostile'].flatMap((id) => ofTask.map((part) => `/api/tasks/${id}${part}`)),
      ...['keeper-1', 'hostile-1'].flatMap((id) => ofRun.map((part) => `/api/executions/${id}${part}`)),
      '/api/agents',
      '/api/agents/status',
      '/api/projects',
      '/api/drops',
      ...traps,
    ]) {
      places[path] = await read(path)
    }
    for (const trap of traps) assert.match(places[trap] ?? '', /^4\d\d /, trap)
    assertNone(places)
  })

  it('are in no file of the data volume once both have ended', async () => {
    const { spec } = await kubectlJson('get', 'pvc', 'slipway-data')
    const volume = await kubectlJson('get', 'pv', String(asRecord(spec)['volumeName']))
    const root = String(dig(volume, 'spec', 'hostPath', 'path') ?? dig(volume, 'spec', 'local', 'path'))
    assert.notDeepEqual(filesWith(root, 'slipmark-of-plain-sight'), [], `${root} is not the data volume`)
    const found = markers
      .flatMap((marker) => [marker, Buffer.from(marker).toString('base64')])
      .flatMap((spelling) => filesWith(root, spelling))
      .map((path) => relative(root, path))
    assert.deepEqual(found, [])
  })
})

/** Status and body of whatever the API answers. */
async function read(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const signal = AbortSignal.timeout(MINUTE)
  const answer = await fetch(SERVER_URL + path, { headers, signal })
  return `${answer.status} ${await answer.text()}`
}
