/** Who may install the chart slipway, as docs/operate/install.md says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Rendered, needHelm, render, TOKEN } from '../charts/render.ts'
import { until } from '../helpers/until.ts'
import { type Rig, setUpRig } from './kube-setup.ts'

const run = promisify(execFile)
const VALUES = { ...TOKEN, admissionPolicies: { enabled: false } }

describe("the admin of a namespace, who is nobody in the cluster's other parts", function () {
  let rig: Rig
  let person: string
  before(async function () {
    needHelm(this)
    rig = await setUpRig()
    person = `admin-of-${rig.namespace}`
    await run('kubectl', ['apply', '--server-side', '-f', 'crds'])
    const roles = await render({}, { chart: 'slipway-crds' })
    await kubectl(
      roles.filter(({ metadata }) => metadata.name === 'slipway-installer'),
      'apply',
    )
    await bind('admin')
    // A controller collects the parts of this role.
    const rights = ['auth', 'can-i', 'create', 'roles', '-n', rig.namespace, '--as', person]
    await until('the admin may create roles', () => run('kubectl', rights).then(...yesOrNo))
  })
  after(() => rig?.end())

  const bind = (role: string) =>
    run('kubectl', ['-n', rig.namespace, 'create', 'rolebinding', role, `--clusterrole=${role}`, `--user=${person}`])

  async function kubectl(objects: readonly Rendered[], ...args: readonly string[]): Promise<void> {
    const running = run('kubectl', ['-n', rig.namespace, ...args, '-f', '-'])
    running.child.stdin?.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
    await running
  }

  const install = async (): Promise<string> => {
    const flags = ['--namespace', rig.namespace, '--kube-as-user', person, '--no-hooks']
    const values = ['--set=auth.tokenSecret.name=api-token', '--set=admissionPolicies.enabled=false']
    return (await run('helm', ['upgrade', '--install', 'agents', 'charts/slipway', ...flags, ...values])).stdout
  }
  /** What hooks make, which would wait for pods. */
  const makeHooks = async (): Promise<void> => {
    const objects = await render(VALUES, { namespace: rig.namespace })
    const hooks = objects.filter(({ kind, metadata }) => kind !== 'Pod' && metadata.annotations?.['helm.sh/hook'])
    assert.ok(hooks.length > 0)
    await kubectl(hooks, 'create', '--as', person)
  }

  it('cannot give the accounts of the chart rights that they do not have', async () => {
    await assert.rejects(install(), /slipway-operator" is forbidden: .*attempting to grant RBAC permissions/s)
  })

  it('installs it with the ClusterRole slipway-installer beside admin', async () => {
    await bind('slipway-installer')
    assert.match(await install(), /STATUS: deployed/)
    await makeHooks()
  })
})

const yesOrNo = [() => true, () => false] as const
