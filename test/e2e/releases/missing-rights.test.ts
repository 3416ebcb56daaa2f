/**
 * Somebody takes a right from the parts: what is missing is said where people look, and work goes on when it is back. A
 * release of its own, because the others are to lack nothing; it ends with an uninstall that finds no operator.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asRecord } from '../../../core/json.ts'
import type { ApiClient } from '../../../core/rest/client/client.ts'
import { connectApi } from '../../../core/rest/client/connect.ts'
import { aBrowser } from '../../helpers/push-service.ts'
import { until } from '../../helpers/until.ts'
import { dig, MINUTE, NAMESPACE, records } from '../cluster.ts'
import { forwardPods } from '../forward.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const DEPRIVED = `${NAMESPACE}-deprived`
const ONE_OF_EACH = [
  '--set',
  'apiServer.replicas=1',
  '--set',
  'operator.replicas=1',
  '--set',
  'hooks.uninstallTimeout=5s',
]

async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', DEPRIVED, ...args])).stdout
}

async function kubectlJson(...args: string[]): Promise<Record<string, unknown>> {
  return asRecord(JSON.parse(await kubectl(...args, '-o', 'json')))
}

async function apply(object: object): Promise<void> {
  const applying = run('kubectl', ['-n', DEPRIVED, 'apply', '-f', '-'])
  applying.child.stdin?.end(JSON.stringify(object))
  await applying
}

function sentence(part: string, verb: string, resource: string, group: string): string {
  const account = `system:serviceaccount:${DEPRIVED}:slipway-${part}`
  return `User "${account}" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${DEPRIVED}"`
}

/** Takes one verb on one resource from a Role. @returns gives it back */
async function deprive(part: string, verb: string, resource: string): Promise<() => Promise<void>> {
  const { apiVersion, kind, rules } = await kubectlJson('get', 'role', `slipway-${part}`)
  const role = { apiVersion, kind, metadata: { name: `slipway-${part}` } }
  const left = records(rules).map((rule) => {
    const isMeant = String(rule['resources']).split(',').includes(resource)
    return isMeant
      ? {
          ...rule,
          verbs: String(rule['verbs'])
            .split(',')
            .filter((one) => one !== verb),
        }
      : rule
  })
  await apply({ ...role, rules: left })
  return () => apply({ ...role, rules })
}

/** The pod of a part, of which there is one. */
async function podOf(part: string): Promise<Record<string, unknown>> {
  const [pod] = records((await kubectlJson('get', 'pods', '-l', `app.kubernetes.io/component=${part}`))['items'])
  assert.ok(pod)
  return pod
}

async function untilReady(part: string, wanted: boolean): Promise<void> {
  await kubectl(
    'wait',
    'pod',
    '-l',
    `app.kubernetes.io/component=${part}`,
    `--for=condition=Ready=${wanted}`,
    '--timeout=90s',
  )
}

async function restarts(part: string): Promise<number> {
  const [container] = records(dig(await podOf(part), 'status', 'containerStatuses'))
  return Number(container?.['restartCount'])
}

async function logOf(part: string): Promise<string> {
  return kubectl('logs', '-l', `app.kubernetes.io/component=${part}`, '--tail=-1')
}

async function submit(name: string, instructions = 'echo done > done.txt'): Promise<void> {
  const spec = { title: name, project: 'deprived', runPolicy: 'Auto', agent: { type: 'script', instructions } }
  await apply({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Task', metadata: { name }, spec })
}

async function untilState(task: string, state: string): Promise<void> {
  await kubectl('wait', `tasks.slipway.dev/${task}`, `--for=jsonpath={.status.state}=${state}`, '--timeout=120s')
}

describe('a right that somebody has taken away', function () {
  this.timeout(5 * MINUTE)
  let api: ApiClient
  before(async () => {
    // Of the private address that a browser here names as its push service, which is none: its 404 ends the subscription.
    const push = ['--set', 'config.pushPrivateEndpoints=true']
    await run(join(ROOT, 'test', 'e2e', 'install'), [DEPRIVED, ...ONE_OF_EACH, ...push])
    const token = await kubectl('get', 'secret', 'slipway-api-token', '-o', 'jsonpath={.data.token}')
    const url = await forwardPods(DEPRIVED, 'app.kubernetes.io/component=api-server')
    api = connectApi({ url, token: Buffer.from(token, 'base64').toString(), fetch })
    const remote_url = `http://git-server.${DEPRIVED}.svc/sample.git`
    await api.createProject({ body: { id: 'deprived', name: 'deprived', remote_url } })
    const { subscription } = aBrowser(`http://git-server.${DEPRIVED}.svc/push/browser`)
    await api.subscribePush({ body: subscription })
  })
  after(async () => {
    await run('helm', ['uninstall', 'slipway', '--namespace', DEPRIVED, '--ignore-not-found', '--timeout', '2m'])
    await run('kubectl', ['delete', 'namespace', DEPRIVED, '--timeout=2m'])
  })

  it('to create Jobs is named by the task, its Events, the log and readiness of the operator, until it is back', async () => {
    const giveBack = await deprive('operator', 'create', 'jobs')
    await submit('no-job')
    const refusal = sentence('operator', 'create', 'jobs', 'batch')
    const condition = async () => {
      const { status } = await kubectlJson('get', 'tasks.slipway.dev/no-job')
      return records(dig(status, 'conditions')).find(({ type }) => type === 'Reconciling')
    }
    await until('the condition says so', async () => (await condition())?.['reason'] === 'Refused', MINUTE)
    assert.ok(String((await condition())?.['message']).includes(refusal))
    await untilReady('operator', false)
    assert.ok((await kubectl('describe', 'tasks.slipway.dev/no-job')).includes(`Refused`))
    assert.ok((await kubectl('describe', 'tasks.slipway.dev/no-job')).includes(refusal))
    const logged = JSON.stringify(refusal).slice(1, -1)
    await until('the log says so', async () => (await logOf('operator')).includes(logged), MINUTE)
    await giveBack()
    await untilState('no-job', 'READY')
    await untilReady('operator', true)
    assert.equal(await restarts('operator'), 0)
  })

  it('to create tasks is named by the answer and the log of the API server, until it is back', async () => {
    const giveBack = await deprive('api-server', 'create', 'tasks')
    const refusal = sentence('api-server', 'create', 'tasks', 'slipway.dev')
    const create = () => api.createTask({ body: { id: 'asked', name: 'asked', project: 'deprived' } })
    await assert.rejects(create(), (error: Error) => error.message.includes(refusal))
    assert.ok((await logOf('api-server')).includes(JSON.stringify(refusal).slice(1, -1)))
    // What it may still do it goes on doing: whoever reads is not cut off.
    await api.listTasks({})
    const refused = async () => String(asRecord(await api.getReadiness({}))['refused'])
    assert.ok((await refused()).includes(refusal))
    await giveBack()
    await create()
    assert.equal(await refused(), 'undefined')
    assert.equal(await restarts('api-server'), 0)
  })

  it('is none that an uninstall leaves behind: what runs ends too, though no operator is there to end it', async () => {
    await submit('endless', 'sleep 3600')
    await until('the pod runs', async () => (await kubectl('get', 'pods')).includes('endless-1-run'), MINUTE)
    await kubectl('scale', 'deployment/slipway-operator', '--replicas=0')
    await kubectl('wait', 'pod', '-l', 'app.kubernetes.io/component=operator', '--for=delete', '--timeout=60s')
    const query = { purpose: 'Elaborate', agent: 'script', projectRef: { name: 'deprived' } }
    await apply({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Execution', metadata: { name: 'asked' }, spec: query })
    await run('helm', ['uninstall', 'slipway', '--namespace', DEPRIVED, '--timeout', '2m'])
    await kubectl('wait', 'job/endless-1-run', '--for=delete', '--timeout=60s')
    assert.equal((await kubectl('get', 'serviceaccounts,roles,rolebindings', '-o', 'name')).includes('slipway'), false)
  })
})
