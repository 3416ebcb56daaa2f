/**
 * Definitions and chart of an older commit, then today's, then the older chart again, under Jobs that run. The operator is a
 * process with the account and the configuration that the chart made; no kubelet runs here, so the test ends the pods.
 *
 * SLIPWAY_TEST_OLDER_PROGRAM names the built program of that commit (dist/bin/slipway.js); without it today's stands in.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import type { Task } from '../../../core/crd/types.ts'
import { executionPath } from '../../../core/execution/layout.ts'
import { asRecord } from '../../../core/json.ts'
import { ANNOTATIONS, LABELS } from '../../../core/names.ts'
import type { Pod } from '../../../kube/builtin.ts'
import {
  AGENTS,
  CONFIG_MAPS,
  EXECUTIONS,
  JOBS,
  PODS,
  PROJECTS,
  SERVICE_ACCOUNTS,
  TASKS,
} from '../../../kube/resources.ts'
import { needHelm } from '../../charts/render.ts'
import { applyCrds } from '../../helpers/crd-suite.ts'
import { applyRecordedCrds } from '../../helpers/recorded-installation.ts'
import { type StartedSlipway, PROGRAM, startSlipway } from '../../helpers/slipway.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, setUpRig } from '../kube-setup.ts'

const run = promisify(execFile)
const COMMIT = 'e772f1de'
const OLDER_CHART = `test/fixtures/installations/${COMMIT}.chart.tgz`
const OLDER_PROGRAM = process.env['SLIPWAY_TEST_OLDER_PROGRAM'] ?? PROGRAM
const HEAD = 'a'.repeat(40)
const SLIPWAY = { apiVersion: 'slipway.dev/v1alpha1' } as const

describe(`an upgrade of the chart from ${COMMIT} under executions that run, and its rollback`, function () {
  // Each step stands on the one before.
  this.bail(true)
  let rig: Rig
  let folder: string
  let volumeRoot: string
  const operators: StartedSlipway[] = []
  const jobs = new Map<string, string | undefined>()

  before(async function () {
    needHelm(this)
    rig = await setUpRig()
    folder = mkdtempSync(join(tmpdir(), 'slipway-chart-upgrade-'))
    volumeRoot = mkdtempSync(join(folder, 'volume-'))
    await applyRecordedCrds(COMMIT, rig.direct, rig.namespace)
    await until('the namespace has its service account', async () => {
      const account = { namespace: rig.namespace, name: 'default' }
      return (await rig.direct.find(SERVICE_ACCOUNTS, account)) !== undefined
    })
    await run('kubectl', ['-n', rig.namespace, 'create', 'secret', 'generic', 'api-token', '--from-literal=token=t'])
    await helm('install', 'slipway', OLDER_CHART, '--set=auth.tokenSecret.name=api-token')
    await startOperator(OLDER_PROGRAM)
    const metadata = { name: 'script', namespace: rig.namespace }
    await rig.direct.create(AGENTS, {
      ...SLIPWAY,
      kind: 'Agent',
      metadata,
      spec: { adapter: 'script', maxConcurrent: 9 },
    })
  })
  after(async () => {
    await operators.at(-1)?.stop()
    if (rig === undefined) return
    await helm('uninstall', 'slipway')
    await applyCrds(rig.direct, rig.namespace)
    for (const { metadata } of (await rig.direct.list(EXECUTIONS, { namespace: rig.namespace })).items)
      await rig.direct.mergePatch(EXECUTIONS, key(metadata.name), { metadata: { finalizers: null } })
    await rig.end()
    rmSync(folder, { recursive: true })
  })

  const key = (name: string) => ({ namespace: rig.namespace, name })
  const helm = (...args: readonly string[]) => run('helm', [...args, '--namespace', rig.namespace, '--no-hooks'])

  /** With the account and the configuration of the chart that is installed; in place of the operator before. */
  async function startOperator(program: string): Promise<void> {
    await operators.at(-1)?.stop()
    const { stdout } = await run('kubectl', ['-n', rig.namespace, 'create', 'token', 'slipway-operator'])
    const kubeconfig = asRecord(parse(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8')))
    const users = Array.isArray(kubeconfig['users']) ? kubeconfig['users'] : []
    const user = { token: stdout.trim() }
    const files = { kubeconfig: join(folder, 'kubeconfig'), config: join(folder, 'config.yaml') }
    writeFileSync(files.kubeconfig, stringify({ ...kubeconfig, users: users.map((one) => ({ ...one, user })) }))
    const { data } = await rig.direct.get(CONFIG_MAPS, key('slipway-config'))
    const { metricsListen: _, ...config } = asRecord(parse(data?.['config.yaml'] ?? ''))
    writeFileSync(files.config, stringify({ ...config, healthListen: '127.0.0.1:0', volumeRoot }))
    const args = ['operator', '--config', files.config, '--kubeconfig', files.kubeconfig]
    operators.push(await startSlipway(args, {}, program))
  }
  const podsOf = async (name: string, execution = 1): Promise<readonly Pod[]> => {
    const labelSelector = `${LABELS.execution}=${name}-${execution}`
    return (await rig.direct.list(PODS, { namespace: rig.namespace, labelSelector })).items
  }
  async function writePod(name: string, phase: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
    const [pod] = await podsOf(name)
    assert.ok(pod)
    const [deliver] = pod.spec?.containers ?? []
    const terminated = { exitCode: 1, reason: 'Error' }
    const containerStatuses = [
      { name: deliver?.name ?? '', ready: false, restartCount: 0, image: '', imageID: '', state: { terminated } },
    ]
    const status = { ...pod.status, phase, ...(phase === 'Failed' && { containerStatuses }) }
    await rig.direct.replaceStatus(PODS, { ...pod, status })
  }
  /** Work that was checked, without its clone: an older version keeps none of what is READY. */
  const checked = () =>
    Promise.all(
      ['green', 'red'].map(async (name) => {
        const { workspace: _, ...status } = (await rig.direct.get<Task>(TASKS, key(name))).status ?? {}
        return status
      }),
    )
  const noteJob = async (job: string) => void jobs.set(job, (await rig.direct.get(JOBS, key(job))).metadata.uid)
  const stateOf = async (name: string) => (await rig.direct.get<Task>(TASKS, key(name))).status?.state

  async function submit(name: string, project?: string): Promise<void> {
    const agent = { type: 'script', instructions: 'true' }
    const work = project === undefined ? { repositoryUrl: 'https://git.example/shop.git' } : { project }
    const spec = { title: name, runPolicy: 'Auto', ...work, agent } as const
    await rig.direct.create(TASKS, { ...SLIPWAY, kind: 'Task', metadata: key(name), spec })
    await until(
      () => `${name} has a pod; the operator says ${operators.at(-1)?.output() ?? ''}`,
      async () => (await podsOf(name)).length > 0,
    )
    await writePod(name, 'Running')
    await until(`${name} is RUNNING`, async () => (await stateOf(name)) === 'RUNNING')
    await noteJob(`${name}-1-run`)
  }
  /** As runner and kubelet end a run; without a state of its check, of a project that has none. */
  async function end(name: string, check?: 'Passed' | 'Failed'): Promise<void> {
    const at = new Date().toISOString()
    const checks = check && [{ name: 'test', state: check, required: true, commit: HEAD, exitCode: 1 }]
    const error = { category: 'checks', message: 'check test is red' }
    const ended = {
      ...(check === 'Failed' ? { outcome: 'failed', pushed: false, error } : { outcome: 'succeeded', pushed: true }),
      ...(checks && { checks, head: HEAD }),
      step: 'deliver',
      startedAt: at,
      finishedAt: at,
    }
    const result = { schemaVersion: 1, execution: `${name}-1`, jobNumber: 1, ...ended }
    writeFileSync(join(volumeRoot, executionPath(`${name}-1`), 'result.json'), JSON.stringify(result))
    await writePod(name, check === 'Failed' ? 'Failed' : 'Succeeded')
    const state = check === 'Failed' ? 'FAILED' : 'READY'
    await until(
      () => `${name} is ${state}`,
      async () => (await stateOf(name)) === state,
    )
  }

  it('finds the Job of a task that runs, and starts others', async () => {
    for (const name of ['older', 'older-too']) await submit(name)
    await applyCrds(rig.direct, rig.namespace)
    await helm('upgrade', 'slipway', 'charts/slipway', '--reset-then-reuse-values')
    await startOperator(PROGRAM)
    await submit('newer')
    await end('older')
  })

  it('runs checks, of which the older version knows nothing', async () => {
    const checks = [{ name: 'test', run: 'true' }]
    const spec = { title: 'Shop', remoteUrl: 'https://git.example/shop.git', checks, maxCheckRounds: 0 } as const
    await rig.direct.create(PROJECTS, { ...SLIPWAY, kind: 'Project', metadata: key('checked'), spec })
    for (const name of ['green', 'red', 'green-later', 'red-later']) await submit(name, 'checked')
    await end('green', 'Passed')
    await end('red', 'Failed')
  })

  it('rolls back: what runs ends, whichever version started it, and the next one starts', async () => {
    await helm('rollback', 'slipway')
    await startOperator(OLDER_PROGRAM)
    const before = await checked()
    await submit('again')
    for (const name of ['older-too', 'newer', 'again']) await end(name)
    await end('green-later', 'Passed')
    await end('red-later', 'Failed')
    assert.deepEqual(await checked(), before)
  })

  it('knows after the next upgrade what checks had found, and has what is red checked again', async () => {
    await helm('upgrade', 'slipway', 'charts/slipway', '--reset-then-reuse-values')
    await startOperator(PROGRAM)
    assert.deepEqual(
      (await checked()).map((status) => [
        status.state,
        status.error?.category,
        status.checks?.map(({ state }) => state),
      ]),
      [
        ['READY', undefined, ['Passed']],
        ['FAILED', 'checks', ['Failed']],
      ],
    )
    for (const name of ['red', 'red-later']) {
      const annotations = { [ANNOTATIONS.action]: 'resume' }
      await rig.direct.mergePatch(TASKS, key(name), { metadata: { annotations } })
      await until(
        () => `${name} has a second pod; the operator says ${operators.at(-1)?.output() ?? ''}`,
        async () => (await podsOf(name, 2)).length > 0,
      )
      const [pod] = await podsOf(name, 2)
      assert.ok(pod?.spec?.initContainers?.some((step) => step.name === 'check-test'))
      await noteJob(`${name}-2-run`)
    }
  })

  it('starts no Job twice and loses none', async () => {
    const found = (await rig.direct.list(JOBS, { namespace: rig.namespace })).items
    assert.deepEqual(new Map(found.map(({ metadata }) => [metadata.name, metadata.uid])), jobs)
    const { items: pods } = await rig.direct.list(PODS, { namespace: rig.namespace, labelSelector: LABELS.execution })
    assert.equal(pods.length, jobs.size)
  })

  it('is refused nothing', () => {
    for (const operator of operators) assert.doesNotMatch(operator.output(), /forbidden/i)
  })
})
