/** Tokens and roles of a real kube-apiserver, asked by an API server that has the rights of the chart and no others. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { asRecord } from '../../core/json.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { needHelm, render } from '../charts/render.ts'
import { startOnCluster } from '../helpers/control-plane.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

const run = promisify(execFile)

const GROUP = 'slipway.dev'
const ROLES: Readonly<Record<string, readonly { readonly resources: string[]; readonly verbs: string[] }[]>> = {
  viewer: [{ resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  author: [
    { resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { resources: ['tasks', 'stories', 'epics'], verbs: ['create', 'update'] },
  ],
  approver: [
    { resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { resources: ['tasks'], verbs: ['accept', 'revise', 'reject', 'answer', 'run', 'resume', 'cancel', 'message'] },
    { resources: ['stories'], verbs: ['accept', 'move'] },
  ],
  stranger: [],
}

describe('Kubernetes identities on a real kube-apiserver', function () {
  let api: Rig
  let chart: string
  before(async function () {
    needHelm(this)
    const identity = { kubernetes: { audience: 'slipway' } }
    api = await startRig({ identity, embedded: false }, connect, startOnCluster)
  })
  after(async () => {
    await api?.stop()
    if (chart !== undefined) await kubectl(['delete', '--ignore-not-found', '-f', '-'], chart)
  })

  /** Makes the accounts, and connects as the one of the chart. */
  async function connect({ kubeconfig }: { kubeconfig: string }, namespace: string): Promise<ApiClient> {
    const values = { identity: { kubernetes: { enabled: true } } }
    const objects = (await render(values, { namespace })).filter(({ kind }) => /Role|ServiceAccount/.test(kind))
    chart = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
    await kubectl(['apply', '-f', '-'], chart)
    for (const [name, rules] of Object.entries(ROLES)) await makeAccount(namespace, name, rules)
    const config = asRecord(parse(kubeconfig))
    const token = await tokenOf(namespace, 'slipway-api-server', 'https://kubernetes.default.svc.cluster.local')
    const users = Array.isArray(config['users']) ? config['users'].map((user) => ({ ...user, user: { token } })) : []
    const content = JSON.stringify({ ...config, users })
    const options = { userAgent: 'slipway-test/1', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 }
    return createClient(await loadKubeConfig({ kind: 'content', content }), options)
  }

  async function as(account: string, audience = 'slipway'): Promise<{ Authorization: string }> {
    return { Authorization: `Bearer ${await tokenOf(api.namespace, account, audience)}` }
  }

  const nameOf = (account: string): string => `system:serviceaccount:${api.namespace}:${account}`

  it('an author makes a task and may not accept it; an approver decides, and is named', async () => {
    const author = await as('author')
    const approver = await as('approver')
    assert.equal((await api.post('/api/tasks', { id: 'one', name: 'x' }, author)).status, 201)
    const refused = await api.post('/api/tasks/one/run', undefined, author)
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, {
      error: `user ${nameOf('author')} may not run tasks.${GROUP} in namespace ${api.namespace}: bind a role that has the verb run`,
    })
    assert.equal((await api.post('/api/tasks/one/run', undefined, approver)).status, 202)
    const { body } = await api.get('/api/tasks/one', await as('viewer'))
    assert.equal(at(body, 'decisions.0.by'), nameOf('approver'))
    assert.equal((await api.post('/api/tasks', { name: 'x' }, approver)).status, 403)
  })

  it('what a role says is what `kubectl auth can-i` says', async () => {
    const can = async (account: string): Promise<string> => {
      const args = ['auth', 'can-i', 'accept', `tasks.${GROUP}`, '-n', api.namespace, '--as', nameOf(account)]
      return (await run('kubectl', args).catch((error: { stdout: string }) => error)).stdout.trim()
    }
    assert.deepEqual([await can('approver'), await can('author')], ['yes', 'no'])
  })

  for (const [account, list, create, scopes] of [
    ['viewer', 200, 403, ['read']],
    ['author', 200, 201, ['read', 'decide']],
    ['stranger', 403, 403, []],
  ] as const) {
    it(`a ${account} gets ${list} for a list, ${create} for a create, and a session with ${scopes.join(', ') || 'nothing'}`, async () => {
      const headers = await as(account)
      const answers = [await api.get('/api/tasks', headers), await api.post('/api/tasks', { name: 'x' }, headers)]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [list, create],
      )
      const { body } = await api.get('/api/session', headers)
      assert.deepEqual([at(body, 'name'), at(body, 'scopes')], [nameOf(account), scopes])
    })
  }

  it('a token for another audience is nobody’s, also that of a pod for its control plane', async () => {
    for (const audience of ['vault', 'https://kubernetes.default.svc.cluster.local'])
      assert.equal((await api.get('/api/tasks', await as('approver', audience))).status, 401, audience)
  })

  for (const account of ['slipway-operator', 'slipway-api-server']) {
    it(`a leaked token of ${account} decides nothing`, async () => {
      const pods = await as(account, 'https://kubernetes.default.svc.cluster.local')
      assert.equal((await api.post('/api/tasks/one/cancel', undefined, pods)).status, 401)
      assert.equal((await api.post('/api/tasks/one/cancel', undefined, await as(account))).status, 403)
    })
  }

  it('a token with a changed letter, and one of another issuer, are nobody’s', async () => {
    const { Authorization } = await as('approver')
    const [head = '', payload = '', signature = ''] = Authorization.replace('Bearer ', '').split('.')
    const claims = asRecord(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: nameOf('admin') })).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const token of [`${head}.${forged}.${signature}`, `${none}.${forged}.`, `${head}.${payload}.`])
      assert.equal((await api.get('/api/tasks', { Authorization: `Bearer ${token}` })).status, 401)
  })

  it('a token ends with its account, and within the minute for which an answer is kept', async () => {
    await makeAccount(api.namespace, 'leaver', ROLES['viewer'] ?? [])
    const used = await as('leaver')
    const unused = await as('leaver')
    assert.equal((await api.get('/api/tasks', used)).status, 200)
    await kubectl(['-n', api.namespace, 'delete', 'serviceaccount', 'leaver'])
    await until('the other token is refused', async () => (await api.get('/api/tasks', unused)).status === 401)
  })

  it('a role that is taken away is gone after seconds', async () => {
    await makeAccount(api.namespace, 'mover', ROLES['viewer'] ?? [])
    const headers = await as('mover')
    assert.equal((await api.get('/api/tasks', headers)).status, 200)
    await kubectl(['-n', api.namespace, 'delete', 'rolebinding', 'mover'])
    await until('the list is refused', async () => (await api.get('/api/tasks', headers)).status === 403)
  })

  it('503, not 403, while the control plane is away', async () => {
    const [known, unknown] = [await as('viewer'), await as('viewer')]
    assert.equal((await api.get('/api/tasks', known)).status, 200)
    await api.stopControlPlane()
    const answers = [await api.get('/api/drops', known), await api.get('/api/tasks', unknown)]
    await api.startControlPlane()
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503],
    )
  })
})

async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const running = run('kubectl', [...args])
  running.child.stdin?.end(input)
  return (await running).stdout
}

async function tokenOf(namespace: string, account: string, audience: string): Promise<string> {
  const args = ['-n', namespace, 'create', 'token', account, '--audience', audience]
  return (await kubectl(args)).trim()
}

async function makeAccount(namespace: string, name: string, given: (typeof ROLES)[string]): Promise<void> {
  const metadata = { name, namespace }
  const rules = given.map((rule) => ({ apiGroups: [GROUP], ...rule }))
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name }
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata }
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { ...rbac, kind: 'Role', rules },
    { ...rbac, kind: 'RoleBinding', subjects, roleRef },
  ]
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  if (given.length === 0) return
  const asked = ['auth', 'can-i', 'list', `tasks.${GROUP}`, '-n', namespace]
  const account = `system:serviceaccount:${namespace}:${name}`
  const mayList = () =>
    run('kubectl', [...asked, '--as', account]).then(
      () => true,
      () => false,
    )
  // The API server decides by caches of its own, which hear of a binding a little later.
  await until(`${account} has its rights`, mayList)
}
