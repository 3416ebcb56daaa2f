/** What stays when Slipway goes: nothing that keeps a namespace from being deleted (docs/operate/uninstall.md). */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { FINALIZER } from '../../../core/names.ts'
import { createClient } from '../../../kube/client.ts'
import { loadKubeConfig } from '../../../kube/config.ts'
import { AGENTS, EXECUTIONS, NAMESPACES, TASKS } from '../../../kube/resources.ts'
import { aTask, anAgent } from '../../helpers/build.ts'
import { IS_CLUSTER } from '../../helpers/control-plane.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

const run = promisify(execFile)
const ROLE = fileURLToPath(new URL('../../../../charts/slipway/files/roles/operator.yaml', import.meta.url))

describe('a namespace that Slipway has worked in', () => {
  let rig: LiveRig
  beforeEach(async () => void (rig = await openLiveRig()))
  afterEach(() => rig.end())

  const create = async (name: string, spec: object = {}, finalizers: readonly string[] = []): Promise<void> => {
    const { metadata: _, ...task } = aTask({ spec })
    await rig.client.create(TASKS, { ...task, metadata: { name, namespace: rig.namespace, finalizers } })
  }
  const task = (name: string) => rig.client.get(TASKS, { namespace: rig.namespace, name })
  const executions = async () => (await rig.client.list(EXECUTIONS, { namespace: rig.namespace })).items
  const isRunning = async (name: string): Promise<boolean> => {
    const found = (await executions()).find(({ metadata }) => metadata.name === `${name}-1`)
    return (found?.status?.jobs ?? 0) > 0
  }
  const cancel = (name: string): Promise<unknown> => {
    const annotations = { 'slipway.dev/action': 'cancel' }
    return rig.client.mergePatch(TASKS, { namespace: rig.namespace, name }, { metadata: { annotations } })
  }
  /** A task that never ran, and one whose execution has ended. */
  const leaveWork = async (): Promise<void> => {
    const { metadata: _, ...agent } = anAgent()
    await rig.client.create(AGENTS, { ...agent, metadata: { name: 'script', namespace: rig.namespace } })
    await create('never')
    await create('ended', { runPolicy: 'Auto' })
    await until('it runs', () => isRunning('ended'))
    await cancel('ended')
    await until('it has ended', async () => (await task('ended')).status?.state === 'CANCELLED')
    await until('nothing is held', async () =>
      (await executions()).every(({ metadata }) => metadata.finalizers === undefined),
    )
  }
  const deleteNamespace = async (): Promise<void> => {
    await rig.client.delete(NAMESPACES, { name: rig.namespace })
    await until(
      'the namespace is gone',
      async () => (await rig.client.find(NAMESPACES, { name: rig.namespace })) === undefined,
    )
  }

  it('can be deleted though no operator runs any more, where no execution did when it went', async () => {
    await rig.startOperator()
    await leaveWork()
    await rig.stopOperator()
    await deleteNamespace()
  })

  it('can be deleted in the documented order also while an execution runs', async () => {
    await rig.startOperator()
    await leaveWork()
    await create('runs', { runPolicy: 'Auto' })
    await until('it runs', () => isRunning('runs'))
    const { items } = await rig.client.list(TASKS, { namespace: rig.namespace })
    for (const { metadata } of items) {
      await rig.client.delete(
        TASKS,
        { namespace: rig.namespace, name: metadata.name },
        { propagationPolicy: 'Background' },
      )
    }
    await until('the operator has ended all executions', async () => (await executions()).length === 0)
    await rig.stopOperator()
    await deleteNamespace()
  })

  it('is let go of what an earlier version held there, at the first start of this one', async () => {
    await create('held', {}, [FINALIZER])
    await create('deleted', {}, [FINALIZER])
    await rig.client.delete(TASKS, { namespace: rig.namespace, name: 'deleted' })
    await rig.startOperator()
    const finalizers = async () => (await task('held')).metadata.finalizers
    await until('nothing holds it', async () => (await finalizers()) === undefined)
    await until('the other is gone', async () => {
      const { items } = await rig.client.list(TASKS, { namespace: rig.namespace })
      return items.length === 1
    })
    await rig.stopOperator()
    await deleteNamespace()
  })

  describe('with the rights of a cluster', () => {
    let folder: string
    before(async function () {
      // Only a kube-apiserver knows rights; .ci/run has one, and kubectl.
      if (!IS_CLUSTER) this.skip()
      folder = await mkdtemp(join(tmpdir(), 'slipway-uninstall-'))
    })
    after(async () => folder && rm(folder, { recursive: true, force: true }))

    /** A client that may do what the chart allows the operator. */
    const openAsOperator = async () => {
      const admin = join(folder, 'kubeconfig')
      await writeFile(admin, rig.kubeconfig, { mode: 0o600 })
      const kubectl = async (...args: string[]): Promise<string> =>
        (await run('kubectl', ['--kubeconfig', admin, '-n', rig.namespace, ...args])).stdout
      const rules: unknown = parse(await readFile(ROLE, 'utf8'))
      const metadata = { name: 'slipway-operator' }
      const file = join(folder, 'role.yaml')
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules }
      await writeFile(file, stringify(role))
      await kubectl('apply', '-f', file)
      await kubectl('create', 'serviceaccount', metadata.name)
      const subject = `--serviceaccount=${rig.namespace}:${metadata.name}`
      await kubectl('create', 'rolebinding', metadata.name, `--role=${metadata.name}`, subject)
      const token = (await kubectl('create', 'token', 'slipway-operator')).trim()
      const config = parse(rig.kubeconfig) as { users: { name: string; user: object }[] }
      const users = config.users.map(({ name }) => ({ name, user: { token } }))
      const content = JSON.stringify({ ...config, users })
      const options = { userAgent: 'operator', fieldManager: 'operator', requestTimeoutMs: 30_000 }
      return { client: createClient(await loadKubeConfig({ kind: 'content', content }), options), kubectl }
    }

    it('can be deleted once these are gone, and an operator that has lost them says so in /readyz', async () => {
      const { client, kubectl } = await openAsOperator()
      const operator = await rig.startOperator({ client, leaderElection: true })
      await leaveWork()
      assert.equal(operator.notReadyReason(), undefined)
      await kubectl('delete', 'rolebinding', 'slipway-operator')
      await until('it says that it may not write', () =>
        /refuses the operator: .*forbidden/.test(operator.notReadyReason() ?? ''),
      )
      await deleteNamespace()
      await rig.stopOperator()
      await client.close()
    })
  })
})
