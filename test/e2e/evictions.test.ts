/** Pods that end because the cluster, or somebody in it, ends them: what their tasks say of it, and how they go on. */
import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import {
  api,
  dig,
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
  records,
  submit,
  task,
  untilState,
} from './cluster.ts'
import { hold, makeRepository, pushesTo, release } from './holds.ts'

/** Stays until it is stopped. Once resumed it finds what it left in clone and home, and ends. */
const RETURNING = `if [ -e begun.txt ]; then cat begun.txt "$HOME/begun" > resumed.txt; exit; fi
  echo clone > begun.txt; echo home > "$HOME/begun"; echo begun; sleep 600`
/** The first time, more than the pod may have on its node's own disk. */
const GREEDY = RETURNING.replace('sleep 600', 'head -c 50M /dev/zero > "$TMPDIR/large"; sleep 600')

const podOf = async (id: string): Promise<string> => String(dig((await podsOf(id))[0], 'metadata', 'name'))

const isAtWork = (id: string) => until(`${id} is at work`, () => isStepRunning(id, 'agent'), 2 * MINUTE)

/** What `kubectl drain` does to each pod (policy/v1, Eviction). */
async function evict(id: string): Promise<void> {
  const name = await podOf(id)
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } }
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`
  await kubectlWith(JSON.stringify(eviction), 'create', '--raw', path, '-f', '-')
}

async function executionsOf(id: string): Promise<unknown[][]> {
  const all = records((await kubectlJson('get', 'executions.slipway.dev'))['items'])
  const own = all.filter((found) => dig(found, 'spec', 'taskRef', 'name') === id)
  return own.map(({ metadata, spec, status }) => [
    dig(metadata, 'name'),
    dig(spec, 'purpose'),
    dig(status, 'state'),
    dig(status, 'error', 'message'),
  ])
}

describe('a pod that is ended from outside', function () {
  this.timeout(4 * MINUTE)
  /** In whole what the pod says, or its reason alone where the pod was gone before the operator had looked. */
  const BY_API = /^the pod was lost: .*EvictionByEvictionAPI/

  before(async () => {
    await makeProject('evictions', { remote_url: await makeRepository('evictions') })
    const agent = { adapter: 'script' as const, classifier: { enabled: false }, max_concurrent: 4 }
    await api.createAgent({ body: { ...agent, id: 'steady' } })
    await api.createAgent({ body: { ...agent, id: 'patient', auto_resume: false } })
    await api.createAgent({ body: { ...agent, id: 'single', auto_resume: false, max_concurrent: 1 } })
    const resources = { limits: { 'ephemeral-storage': '20Mi' } }
    await api.createAgent({ body: { ...agent, id: 'greedy', auto_resume: false, pod_template: { resources } } })
    const scripts = [
      ['drowned', 'greedy', GREEDY],
      ['evicted', 'steady', RETURNING],
      ['kept', 'single', RETURNING],
      ['deleted', 'patient', RETURNING],
      ['redelivered', 'steady', 'echo ran >> "$SERVICE_DROP_DIR/redelivered"; echo work > work.txt'],
    ] as const
    await hold('evictions', 'git-receive-pack')
    for (const [id, type, instructions] of scripts) {
      await submit(id, 'evictions', '', { agent: { type, instructions } })
    }
    await Promise.all(['evicted', 'kept', 'deleted'].map(isAtWork))
    await submit('next', 'evictions', '', { agent: { type: 'single', instructions: 'echo next > next.txt' } })
    await Promise.all([evict('evicted'), evict('kept')])
    await kubectl('delete', 'pod', await podOf('deleted'), '--wait=false')
    await until('redelivered delivers', () => isStepRunning('redelivered', 'deliver'), MINUTE)
    await evict('redelivered')
    await kubectl('wait', '--for=create', 'job/redelivered-1-run-2', '--timeout=120s')
    await release('evictions')
  })
  after(() => release('evictions'))

  it('is named by its task, which keeps its workspace and is resumed in it by itself', async () => {
    await untilState('evicted', 'READY', MINUTE)
    const executions = await executionsOf('evicted')
    assert.deepEqual(
      executions.map(([name, purpose, state]) => [name, purpose, state]),
      [
        ['evicted-1', 'Run', 'FAILED'],
        ['evicted-2', 'Resume', 'COMPLETED'],
      ],
    )
    assert.match(String(executions[0]?.[3]), BY_API)
    assert.equal(await gitOnServer('evictions', 'show', 'slipway/evicted:resumed.txt'), 'clone\nhome\n')
  })

  it('frees its slot, and waits for a person where its Agent is not resumed by itself', async () => {
    await untilState('next', 'READY', MINUTE)
    const { state, error, error_category: category } = await task('kept')
    assert.deepEqual([state, category], ['FAILED', 'lost'])
    assert.match(String(error), BY_API)
    await api.resumeTask({ params: { id: 'kept' } })
    await untilState('kept', 'READY', MINUTE)
    assert.equal(await gitOnServer('evictions', 'show', 'slipway/kept:resumed.txt'), 'clone\nhome\n')
  })

  it('may have been deleted by hand, and then says so', async () => {
    const { error, error_category: category } = await untilState('deleted', 'FAILED')
    assert.deepEqual([category, error], ['lost', 'the pod was lost: it was stopped from outside'])
  })

  it('may have used too much of the disk of its node: the task quotes the kubelet, and can be resumed', async () => {
    const { error, error_category: category } = await untilState('drowned', 'FAILED', 2 * MINUTE)
    assert.equal(category, 'lost')
    assert.match(String(error), /^the pod was lost: Evicted: .*ephemeral local storage usage exceeds .*20Mi/)
    await api.resumeTask({ params: { id: 'drowned' } })
    await untilState('drowned', 'READY', MINUTE)
  })

  it('is followed by another that only delivers, where the agent had done its work', async () => {
    await untilState('redelivered', 'READY', MINUTE)
    assert.deepEqual(await executionsOf('redelivered'), [['redelivered-1', 'Run', 'COMPLETED', undefined]])
    const jobs = (await labelled('jobs', 'slipway.dev/execution=redelivered-1')).map((job) =>
      dig(job, 'metadata', 'name'),
    )
    assert.deepEqual(jobs, ['redelivered-1-run', 'redelivered-1-run-2'])
    assert.equal(Buffer.from(await api.getDrop({ params: { filename: 'redelivered' } })).toString(), 'ran\n')
    assert.deepEqual(
      (await pushesTo('evictions')).filter((ref) => ref.endsWith('/redelivered')),
      ['refs/heads/slipway/redelivered'],
    )
  })
})
