import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseObject } from '../../core/json.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import {
  GIT_SERVER,
  heldUntil,
  kubectl,
  kubectlJson,
  kubectlWith,
  letGo,
  makeProject,
  MINUTE,
  NAMESPACE,
  records,
  submit,
  TOKEN,
  untilField,
  untilState,
} from './cluster.ts'

/** That of docs/cli.md. */
const RULES = [
  { apiGroups: [''], resources: ['services'], resourceNames: ['slipway-api-server'], verbs: ['get'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] },
]
const ACCOUNT = 'cli-user'

describe('the command line with a kubeconfig alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-e2e-kubeconfig-'))
  const kubeconfig = join(folder, 'config')
  before(async () => {
    await makeProject('kubeconfig', { remote_url: `http://${GIT_SERVER}/sample.git` })
    await kubectl('create', 'serviceaccount', ACCOUNT)
    await setRules(RULES)
    await kubectl('create', 'rolebinding', ACCOUNT, `--role=${ACCOUNT}`, `--serviceaccount=${NAMESPACE}:${ACCOUNT}`)
    const config = await kubectlJson('config', 'view', '--raw', '--minify')
    const token = (await kubectl('create', 'token', ACCOUNT)).trim()
    const users = records(config['users']).map(({ name }) => ({ name, user: { token } }))
    writeFileSync(kubeconfig, JSON.stringify({ ...config, users }), { mode: 0o600 })
  })
  after(async () => {
    await kubectl('delete', `serviceaccount/${ACCOUNT}`, `role/${ACCOUNT}`, `rolebinding/${ACCOUNT}`)
    rmSync(folder, { recursive: true, force: true })
  })

  async function setRules(rules: readonly object[]): Promise<void> {
    const metadata = { name: ACCOUNT, namespace: NAMESPACE }
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules }
    await kubectlWith(JSON.stringify(role), 'apply', '-f', '-')
  }

  const slipway = (...args: string[]) => runSlipway(['-n', NAMESPACE, ...args])

  it('lists tasks, with the token of the Secret that the API server has its own from', async () => {
    await submit('by-kubeconfig', 'kubeconfig', 'echo by kubeconfig')
    await untilState('by-kubeconfig', 'READY', 2 * MINUTE)
    const { code, output } = await slipway('show', 'by-kubeconfig', '-o', 'json')
    assert.equal(code, 0, output)
    assert.equal(parseObject(output)['state'], 'READY')
  })

  it('follows the log of a task to its end', async () => {
    await submit('followed-by-kubeconfig', 'kubeconfig', `echo started; ${heldUntil('kubeconfig-goes')}; echo went on`)
    await untilField('tasks.slipway.dev/followed-by-kubeconfig', '.status.state', 'RUNNING', 2 * MINUTE)
    const following = slipway('logs', '-f', 'followed-by-kubeconfig')
    await letGo('kubeconfig-goes')
    const { code, output } = await following
    assert.equal(code, 0, output)
    assert.match(output, /started[^]*went on[^]*followed-by-kubeconfig READY/)
  })

  it('needs no more rights than docs/cli.md says, and names one that is missing', async () => {
    const asUser = (env: Record<string, string>) =>
      runSlipway(['tasks', '-n', NAMESPACE, '--kubeconfig', kubeconfig, '-o', 'json'], env)
    const env = { SLIPWAY_TOKEN: TOKEN }
    const allowed = await asUser(env)
    assert.equal(allowed.code, 0, allowed.output)
    assert.ok(Array.isArray(JSON.parse(allowed.output)))
    await setRules(RULES.slice(0, 2))
    let refused = allowed
    await until('the cluster minds the new role', async () => (refused = await asUser(env)).code === 1)
    assert.match(
      refused.output,
      /may not forward a port of pod slipway-api-server-\S+ \(get and create pods\/portforward\)/,
    )
    assert.doesNotMatch(refused.output, new RegExp(TOKEN))
  })
})
