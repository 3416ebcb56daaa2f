/** What the chart's NetworkPolicies let through, tried by connections between pods that carry the labels of Slipway's. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type Server, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LABELS } from '../../core/names.ts'
import { until } from '../helpers/until.ts'
import { at, find, render, TOKEN } from '../charts/render.ts'
import { makeProject, submit, untilState } from './cluster.ts'
import { makeRepository } from './holds.ts'
import { namespaceOf } from './release.ts'
import { type Listener, type Target, listenerPod, tryFrom } from './traffic.ts'

const run = promisify(execFile)
const MINUTE = 60_000
const IMAGE = process.env['SLIPWAY_E2E_IMAGE'] ?? ''
const OWN = namespaceOf('network')
const OTHER = namespaceOf('network-other')
/** Only there may the test give the node addresses, and have the policies enforced. */
const IS_THIS_NODE = process.env['SLIPWAY_E2E_THIS_NODE'] === '1'
const NETPOL = join(process.env['SLIPWAY_SHARED'] ?? '../shared', 'kube', 'netpol')
/** A public address, of a range for documentation, and one of the range of clouds' metadata. */
const OUTSIDE = { public: '203.0.113.10', metadata: '169.254.77.77' } as const
const OUTSIDE_PORTS = [22, 80, 443]

const GIT_SERVER = { podSelector: { matchLabels: { app: 'git-server' } } }
const PROXY = { podSelector: { matchLabels: { app: 'proxy' } } }
const INGRESS = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': OTHER } },
  podSelector: { matchLabels: { app: 'ingress' } },
}
/** Nobody may connect to it: where somebody can, the cluster does not enforce policies. */
const WALLED = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'walled', namespace: OWN },
  spec: { podSelector: { matchLabels: { app: 'walled' } }, policyTypes: ['Ingress'] },
}

type Row = readonly [from: string, to: string, port: number, is: 'allowed' | 'refused']

const USUAL: readonly Row[] = [
  ['execution', 'the Service of the git server', 80, 'allowed'],
  ['execution', 'git-server', 3000, 'allowed'],
  ['execution', 'self-test', 3000, 'allowed'],
  ['execution', 'public', 443, 'allowed'],
  ['execution', 'public', 22, 'allowed'],
  ['execution', 'public', 80, 'refused'],
  ['execution', 'metadata', 443, 'refused'],
  ['execution', 'the API server of Kubernetes', 443, 'refused'],
  ['execution', 'api-server', 8080, 'refused'],
  ['execution', 'api-server', 9464, 'refused'],
  ['execution', 'operator', 8081, 'refused'],
  ['execution', 'operator', 9464, 'refused'],
  ['execution', 'another execution', 443, 'refused'],
  ['execution', 'neighbour', 443, 'refused'],
  ['execution', 'stranger', 443, 'refused'],
  ['neighbour', 'execution', 3000, 'refused'],
  ['neighbour', 'another execution', 443, 'refused'],
  ['neighbour', 'operator', 9464, 'refused'],
  ['neighbour', 'api-server', 8080, 'allowed'],
  ['stranger', 'execution', 3000, 'refused'],
  ['stranger', 'operator', 8081, 'refused'],
  ['stranger', 'operator', 9464, 'refused'],
  ['stranger', 'api-server', 9464, 'refused'],
  ['stranger', 'api-server', 8080, 'allowed'],
  ['prometheus', 'operator', 9464, 'allowed'],
  ['prometheus', 'api-server', 9464, 'allowed'],
  ['prometheus', 'operator', 8081, 'refused'],
  ['prometheus', 'execution', 3000, 'refused'],
  ['self-test', 'api-server', 8080, 'allowed'],
  ['operator', 'the API server of Kubernetes', 443, 'allowed'],
  ['api-server', 'the API server of Kubernetes', 443, 'allowed'],
  ['api-server', 'public', 443, 'allowed'],
]

const BEHIND_A_PROXY: readonly Row[] = [
  ['execution', 'proxy', 3128, 'allowed'],
  ['execution', 'proxy', 3000, 'refused'],
  ['execution', 'public', 443, 'refused'],
  ['execution', 'git-server', 3000, 'refused'],
  ['execution', 'the API server of Kubernetes', 443, 'refused'],
  ['ingress', 'api-server', 8080, 'allowed'],
  ['self-test', 'api-server', 8080, 'allowed'],
  ['stranger', 'api-server', 8080, 'refused'],
  ['neighbour', 'api-server', 8080, 'refused'],
]

describe('the NetworkPolicies of the chart', function () {
  this.timeout(3 * MINUTE)
  let pods: Readonly<Record<string, Listener>>
  const hosts: Record<string, string> = { ...OUTSIDE, 'the Service of the git server': `git-server.${OWN}.svc` }
  const outside: Server[] = []

  before(async function () {
    if (IS_THIS_NODE) {
      await run(NETPOL, ['up'])
      outside.push(...(await listenOutside()))
    }
    pods = await describePods()
    for (const name of [OWN, OTHER]) await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await apply(WALLED, gitService(), ...Object.values(pods).map((pod) => listenerPod(pod, IMAGE)))
    for (const one of [OWN, OTHER])
      await run('kubectl', ['-n', one, 'wait', '--for=condition=Ready', 'pod', '--all', '--timeout=90s'])
    for (const [title, pod] of Object.entries(pods)) hosts[title] = await podAddress(pod)
    hosts['the API server of Kubernetes'] = await read('default', 'service/kubernetes', '.spec.clusterIP')
    if (IS_THIS_NODE || (await isEnforced())) return
    console.log('skipped: the network of this cluster enforces no NetworkPolicies')
    this.skip()
  })
  after(async () => {
    for (const server of outside) server.close()
    if (IS_THIS_NODE) {
      for (const address of Object.values(OUTSIDE))
        await run('ip', ['addr', 'del', `${address}/32`, 'dev', 'kube-node'])
      await run(NETPOL, ['down'])
    }
    await run('kubectl', ['delete', 'namespace', OWN, OTHER, '--ignore-not-found', '--timeout=2m'])
  })

  const isEnforced = async (): Promise<boolean> =>
    until('nothing reaches the walled pod', () => isSo(['stranger', 'walled', 3000, 'refused']), MINUTE / 3).then(
      () => true,
      () => false,
    )
  const isSo = async (row: Row): Promise<boolean> => (await tryAll([row]))[0] === row[3]

  /** What each row says when it is tried: all of one pod at once. */
  async function tryAll(rows: readonly Row[]): Promise<string[]> {
    const answers = new Map<Row, string>()
    const byPod = [...new Set(rows.map(([from]) => from))].map((from) => rows.filter((row) => row[0] === from))
    await Promise.all(
      byPod.map(async (own) => {
        const targets = own.map(([, to, port]): Target => [hosts[to] ?? '', port])
        const open = await tryFrom(podOf(own[0]?.[0] ?? ''), targets)
        own.forEach((row, i) => answers.set(row, open[i] === true ? 'allowed' : 'refused'))
      }),
    )
    return rows.map((row) => answers.get(row) ?? '')
  }

  function podOf(title: string): Listener {
    const pod = pods[title]
    assert.ok(pod, title)
    return pod
  }

  const suites: readonly (readonly [title: string, values: object, rows: readonly Row[]])[] = [
    ['with a git server in the cluster', { executions: { egress: [{ to: [GIT_SERVER] }] } }, USUAL],
    [
      'with a proxy, and an Ingress controller as the only peer of the API server',
      { executions: { egressProxy: { to: [PROXY] } }, apiServerFrom: [INGRESS] },
      BEHIND_A_PROXY,
    ],
  ]
  for (const [title, networkPolicy, all] of suites) {
    describe(title, () => {
      const rows = IS_THIS_NODE ? all : all.filter(([, to]) => !(to in OUTSIDE))
      let answers: readonly string[] = []
      before(async () => {
        const objects = await render(
          { ...TOKEN, networkPolicy: { enabled: true, ...networkPolicy } },
          { namespace: OWN },
        )
        await apply(...objects.filter(({ kind }) => kind === 'NetworkPolicy'))
        // A policy binds some time after it was made. What is still otherwise in the end, the rows below say.
        const expected = rows.map(([, , , is]) => is)
        const settled = async (): Promise<boolean> => {
          answers = await tryAll(rows)
          return answers.join() === expected.join()
        }
        await until('every row is as it should be', settled).catch(() => undefined)
      })
      rows.forEach(([from, to, port, is], i) => {
        it(`${from} to ${to}, port ${port}: ${is}`, () => assert.equal(answers[i], is))
      })
    })
  }

  it('let the release itself work: a task of helm test clones, runs, pushes and is accepted', async () => {
    await run('helm', [
      'test',
      'slipway',
      '--namespace',
      process.env['SLIPWAY_E2E_NAMESPACE'] ?? 'slipway',
      '--timeout',
      '2m',
    ])
  })

  it('bind the checks of a project as they bind its agents', async () => {
    const namespace = process.env['SLIPWAY_E2E_NAMESPACE'] ?? 'slipway'
    const reached = `git-server.${namespace}.svc 80`
    const walls = [
      `${hosts['the API server of Kubernetes']} 443`,
      `${hosts['stranger']} 3000`,
      `slipway-api-server.${namespace}.svc 80`,
      ...(IS_THIS_NODE ? [`${OUTSIDE.metadata} 443`] : []),
    ]
    const reach = 'reach() { timeout 3 bash -c "exec 3<>/dev/tcp/$1/$2"; }'
    const tries = walls.map((wall) => `if reach ${wall}; then echo reached ${wall}; exit 1; fi`)
    const check = { name: 'walls', run: [reach, `reach ${reached} || exit 2`, ...tries].join('\n') }
    await makeProject('walls', { remote_url: await makeRepository('walls'), checks: [check], max_check_rounds: 0 })
    await submit('walls', 'walls', 'echo x > work.txt')
    await untilState('walls', 'READY', 2 * MINUTE)
  })
})

/** Labels and ports of Slipway's own pods are those of the chart. */
async function describePods(): Promise<Record<string, Listener>> {
  const objects = await render(TOKEN, { namespace: OWN })
  const part = (name: string): Omit<Listener, 'namespace' | 'name'> => {
    const template = at(find(objects, 'Deployment', `slipway-${name}`), 'spec', 'template')
    const labels = at(template, 'metadata', 'labels') as Listener['labels']
    return { labels, ports: at(template, 'spec', 'containers', 0, 'ports') as Listener['ports'] }
  }
  const any = (labels: Listener['labels'], ...ports: readonly number[]) => ({
    labels,
    ports: [3000, 443, ...ports].map((containerPort) => ({ containerPort })),
  })
  const own = {
    execution: any({ [LABELS.execution]: 'one-1' }),
    'another execution': any({ [LABELS.execution]: 'two-1' }),
    operator: part('operator'),
    'api-server': part('api-server'),
    'self-test': any(find(objects, 'Pod', 'slipway-self-test').metadata.labels as Listener['labels']),
    'git-server': any({ app: 'git-server' }),
    proxy: any({ app: 'proxy' }, 3128),
    neighbour: any({ app: 'neighbour' }),
    walled: any({ app: 'walled' }),
  }
  const others = {
    stranger: any({ app: 'stranger' }),
    prometheus: any({ 'app.kubernetes.io/name': 'prometheus' }),
    ingress: any({ app: 'ingress' }),
  }
  const placed = (namespace: string, all: typeof own | typeof others) =>
    Object.entries(all).map(([title, pod]) => [title, { namespace, name: title.replaceAll(' ', '-'), ...pod }])
  return Object.fromEntries([...placed(OWN, own), ...placed(OTHER, others)]) as Record<string, Listener>
}

function gitService(): object {
  const spec = { selector: GIT_SERVER.podSelector.matchLabels, ports: [{ port: 80, targetPort: 3000 }] }
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'git-server', namespace: OWN }, spec }
}

/** Addresses beyond the cluster, which the node answers at. */
async function listenOutside(): Promise<Server[]> {
  const servers: Server[] = []
  for (const address of Object.values(OUTSIDE)) {
    await run('ip', ['addr', 'replace', `${address}/32`, 'dev', 'kube-node'])
    for (const port of OUTSIDE_PORTS) {
      const server = createServer((socket) => socket.destroy()).listen(port, address)
      await once(server, 'listening')
      servers.push(server)
    }
  }
  return servers
}

async function apply(...items: readonly object[]): Promise<void> {
  const applying = run('kubectl', ['apply', '-f', '-'])
  applying.child.stdin?.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  await applying
}

async function read(namespace: string, object: string, path: string): Promise<string> {
  return (await run('kubectl', ['-n', namespace, 'get', object, '-o', `jsonpath={${path}}`])).stdout
}

const podAddress = ({ namespace, name }: Listener): Promise<string> => read(namespace, `pod/${name}`, '.status.podIP')
