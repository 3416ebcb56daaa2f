/** The kubelet of the one node stands still for a minute: what runs goes on, and nobody claims to know how it ends. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill } from 'node:process'
import { connectApi } from '../../core/rest/client/connect.ts'
import { findProcessesByEnvironment } from '../../lib/process.ts'
import { EXECUTION_VARIABLE } from '../../runner/agent/environment.ts'
import { until } from '../helpers/until.ts'
import {
  API_SERVERS,
  api,
  describeOnThisNode,
  dig,
  gitOnServer,
  heldUntil,
  isStepRunning,
  kubectl,
  kubectlJson,
  labelled,
  letGo,
  makeProject,
  MINUTE,
  records,
  submit,
  TOKEN,
  untilField,
  untilState,
} from './cluster.ts'
import { forwardAddress } from './forward.ts'

const STANDSTILL_MS = MINUTE

/** Of the shared folder's cluster, whose node is this machine. */
function signalKubelet(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const file = join(process.env['KUBE_RUN'] ?? '/tmp/kube-run', 'pid', 'kubelet')
  kill(Number(readFileSync(file, 'utf8').split(' ')[0]), signal)
}

/**
 * One pod of the API server, by its address: what `kubectl port-forward` opens ends in the kubelet, and a Service leads
 * to no pod of a node that is not ready.
 */
async function reachServer(): Promise<string> {
  const [pod] = await labelled('pods', API_SERVERS)
  const [container] = records(dig(pod, 'spec', 'containers'))
  const port = records(container?.['ports']).find(({ name }) => name === 'http')?.['containerPort']
  return forwardAddress(String(dig(pod, 'status', 'podIP')), Number(port))
}

/** By its address: when a node comes back, its pods answer a while before Services and DNS lead to them again. */
async function findGitServer(): Promise<string> {
  const { status } = await kubectlJson('get', 'pod', 'git-server')
  return `http://${String(dig(status, 'podIP'))}:3000/sample.git`
}

async function executionsOf(id: string): Promise<unknown[][]> {
  const all = records((await kubectlJson('get', 'executions.slipway.dev'))['items'])
  const own = all.filter((found) => dig(found, 'spec', 'taskRef', 'name') === id)
  return own.map(({ metadata, status }) => [dig(metadata, 'name'), dig(status, 'state')])
}

const untilNodeIs = (ready: 'True' | 'Unknown') =>
  kubectl('wait', 'nodes', '--all', `--for=condition=Ready=${ready}`, '--timeout=120s')

/** Says when it began, so that one that began twice is seen. */
const held = (id: string): string =>
  `echo ${id} >> "$SERVICE_DROP_DIR/standstill"; ${heldUntil(`${id}-ends`)}; echo done > ${id}.txt`

describeOnThisNode('a kubelet that stands still for a minute', function () {
  this.timeout(5 * MINUTE)
  let direct: typeof api

  const states = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => dig(await direct.getTask({ params: { id } }), 'state')))

  before('with tasks at work', async () => {
    direct = connectApi({ url: await reachServer(), token: TOKEN, fetch })
    await makeProject('standstill', { remote_url: await findGitServer() })
    const agent = { adapter: 'script', classifier: { enabled: false } } as const
    await api.createAgent({ body: { ...agent, id: 'calm' } })
    await api.createAgent({ body: { ...agent, id: 'cut-off' } })
    // Its pods are to leave a node that does not answer, at once; by default they are left there for five minutes.
    const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' } as const
    const pod_template = { tolerations: [{ ...unreachable, toleration_seconds: 1 }] }
    await api.createAgent({ body: { ...agent, id: 'hasty', pod_template } })
    const tasks = [
      ['goes-on', 'calm'],
      ['to-cancel', 'cut-off'],
      ['to-leave', 'hasty'],
    ] as const
    for (const [id, type] of tasks) await submit(id, 'standstill', '', { agent: { type, instructions: held(id) } })
    await Promise.all(tasks.map(([id]) => until(`${id} is at work`, () => isStepRunning(id, 'agent'), 2 * MINUTE)))
    for (const [id, type] of [
      ['after-cancel', 'cut-off'],
      ['after-leave', 'hasty'],
    ] as const) {
      await submit(id, 'standstill', '', { agent: { type, instructions: 'true' } })
    }
    signalKubelet('SIGSTOP')
  })
  after(() => signalKubelet('SIGCONT'))

  it('lets what runs go on, which its task says; nothing that is held starts meanwhile', async () => {
    const end = Date.now() + STANDSTILL_MS
    await direct.cancelTask({ params: { id: 'to-cancel' } })
    await letGo('goes-on-ends', direct)
    const agentEnds = async () => (await findProcessesByEnvironment(EXECUTION_VARIABLE, 'goes-on-1')).length === 0
    await until('the agent of goes-on ends, with no kubelet', agentEnds, MINUTE)
    await untilNodeIs('Unknown')
    const isLeaving = '--for=jsonpath={.metadata.deletionTimestamp}'
    await kubectl('wait', 'pods', '-l', 'slipway.dev/task=to-leave', isLeaving, '--timeout=60s')
    await until('the minute is over', () => Date.now() >= end, STANDSTILL_MS)
    // Whether they ended nobody knows: each holds its slot.
    assert.deepEqual(await states('goes-on', 'to-cancel', 'to-leave'), ['RUNNING', 'RUNNING', 'RUNNING'])
    assert.deepEqual(await states('after-cancel', 'after-leave'), ['QUEUED', 'QUEUED'])
    const { pod } = await direct.getExecution({ params: { id: 'to-leave-1' } })
    assert.equal(pod?.reason, 'DeletionByTaintManager')
  })

  it('knows how each ended once it is back, and then starts what waited', async () => {
    signalKubelet('SIGCONT')
    await untilNodeIs('True')
    // The API server is reached through pods that are ready, which they are some moments later than their node.
    await kubectl('wait', 'pods', '-l', API_SERVERS, '--for=condition=Ready', '--timeout=60s')
    await untilField('executions.slipway.dev/to-leave-1', '.status.state', 'FAILED')
    await letGo('to-leave-ends')
    await Promise.all([
      ...['goes-on', 'after-cancel', 'after-leave'].map((id) => untilState(id, 'READY', 2 * MINUTE)),
      untilState('to-cancel', 'CANCELLED', MINUTE),
    ])
    assert.deepEqual(await executionsOf('goes-on'), [['goes-on-1', 'COMPLETED']])
    assert.deepEqual(await executionsOf('to-cancel'), [['to-cancel-1', 'CANCELLED']])
    assert.match(await gitOnServer('sample', 'for-each-ref', '--format=%(refname)'), /slipway\/goes-on\n/)
  })

  it('has the pod that left its node named, and its task resumed', async () => {
    await untilState('to-leave', 'READY', 2 * MINUTE)
    assert.deepEqual(await executionsOf('to-leave'), [
      ['to-leave-1', 'FAILED'],
      ['to-leave-2', 'COMPLETED'],
    ])
    const { error } = await api.getExecution({ params: { id: 'to-leave-1' } })
    assert.match(String(error), /^the pod was lost: DeletionByTaintManager/)
    const begun = Buffer.from(await api.getDrop({ params: { filename: 'standstill' } })).toString()
    assert.deepEqual(begun.trim().split('\n').sort(), ['goes-on', 'to-cancel', 'to-leave', 'to-leave'])
  })
})
