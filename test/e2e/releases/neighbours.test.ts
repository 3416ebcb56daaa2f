import assert from 'node:assert/strict'
import { until } from '../../helpers/until.ts'
import { heldUntil, MINUTE } from '../cluster.ts'
import { type Release, discard, helm, install, namespaceOf } from '../release.ts'

const PARTS = ['operator', 'api-server'] as const
/** Of the second release: this volume holds all its pods on one node. */
const ONE_NODE = ['--set', 'storage.accessMode=ReadWriteOnce']
const NAMES = [namespaceOf('left'), namespaceOf('right')] as const

describe('two releases in two namespaces', function () {
  this.timeout(4 * MINUTE)
  // Each step stands on the one before.
  this.bail(true)
  let left: Release
  let right: Release

  before(async () => {
    ;[left, right] = await Promise.all([install(NAMES[0]), install(NAMES[1], ONE_NODE)])
    // The same names in both, and two that run at once: the slot of an agent belongs to a namespace.
    await Promise.all(
      [left, right].map(async (one) => {
        await one.submit('ends', `echo in ${one.namespace}; echo x > ends.txt`)
        await one.untilState('ends', 'READY', 2 * MINUTE)
      }),
    )
    await left.submit('only-left', 'echo x > x.txt')
    await left.untilState('only-left', 'READY')
    await Promise.all(
      [left, right].map(async (one) => {
        await one.submit('same', `${heldUntil('same-goes')}; echo x > same.txt`)
        await one.untilAgentRuns('same')
      }),
    )
  })
  after(() => Promise.all(NAMES.map(discard)))

  it('run tasks of the same name at the same time, each with its own output and Job', async () => {
    for (const one of [left, right]) {
      assert.equal(await one.api.getExecutionStdout({ params: { id: 'ends-1' } }), `in ${one.namespace}\n`)
      const image = await one.field('job/same-1-run', '.status.active')
      assert.equal(image, '1')
    }
    assert.notEqual(
      await left.field('job/same-1-run', '.metadata.uid'),
      await right.field('job/same-1-run', '.metadata.uid'),
    )
  })

  it('show tasks, agents, metrics and leaders of their own only', async () => {
    const ids = async ({ api }: Release): Promise<string[]> =>
      (await api.listTasks({ query: {} })).map(({ id }) => id).sort()
    assert.deepEqual(await ids(left), ['ends', 'only-left', 'same'])
    assert.deepEqual(await ids(right), ['ends', 'same'])
    await left.kubectl('label', 'agent.slipway.dev/claude', 'side=left')
    assert.equal(await right.field('agent.slipway.dev/claude', '.metadata.labels.side'), '')
    await until('each counts its own', async () => (await readyTasks(left)) === 2 && (await readyTasks(right)) === 1)
    for (const { kubectl, field } of [left, right]) {
      const holder = await field('lease/slipway-operator', '.spec.holderIdentity')
      const pods = await kubectl('get', 'pods', '-l', 'app.kubernetes.io/component=operator', '-o', 'name')
      const names = pods
        .trim()
        .split('\n')
        .map((name) => name.replace('pod/', ''))
      assert.ok(
        names.some((name) => holder.startsWith(name)),
        `${holder} is none of ${names.join(', ')}`,
      )
    }
  })

  it('keeps every pod of a release with ReadWriteOnce on the node of its volume, and refuses another mode', async () => {
    const claim = '{.items[*].spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[*].topologyKey}'
    const pods = await right.kubectl(
      'get',
      'pods',
      '-l',
      'slipway.dev/data-volume=slipway-data',
      '-o',
      `jsonpath=${claim}`,
    )
    // Two operators, two API servers, and three executions or fewer: ended pods count too.
    assert.ok(pods.split(' ').length >= 5, pods)
    const args = ['upgrade', 'slipway', 'charts/slipway', '-n', right.namespace, '--reset-then-reuse-values']
    await assert.rejects(
      helm(...args, '--set', 'storage.accessMode=ReadWriteMany'),
      /storage\.accessMode: is ReadWriteMany, but the claim slipway-data exists and has ReadWriteOnce/,
    )
  })

  it('may do nothing in the namespace of the other', async () => {
    for (const part of PARTS) {
      const account = `system:serviceaccount:${left.namespace}:slipway-${part}`
      for (const kind of ['tasks.slipway.dev', 'secrets', 'leases', 'jobs', 'pods']) {
        const answer = await right.kubectl('auth', 'can-i', 'list', kind, `--as=${account}`).catch(saysNo)
        assert.equal(answer.trim(), 'no', `${account} lists ${kind}`)
      }
    }
    const refused = await fetch(`${right.url}/api/tasks`, { headers: { Authorization: `Bearer ${left.token}` } })
    assert.equal(refused.status, 401)
  })

  it('leave each other at work: one goes, namespace and all, in the middle of a task', async () => {
    await helm('uninstall', 'slipway', '--namespace', left.namespace)
    await left.kubectl('delete', 'namespace', left.namespace, '--timeout=2m')
    await right.letGo('same-goes')
    await right.untilState('same', 'READY')
    await right.api.acceptTask({ params: { id: 'same' } })
    await right.untilState('same', 'COMPLETED')
  })
})

/** kubectl prints the answer and fails with it. */
function saysNo(error: unknown): string {
  return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error)
}

/** READY tasks, as the metrics of the operator that leads count them. */
async function readyTasks({ namespace, kubectl, field }: Release): Promise<number> {
  const holder = await field('lease/slipway-operator', '.spec.holderIdentity')
  const pods = await kubectl('get', 'pods', '-l', 'app.kubernetes.io/component=operator', '-o', 'name')
  const leader = pods
    .trim()
    .split('\n')
    .map((name) => name.replace('pod/', ''))
    .find((name) => holder.startsWith(name))
  const text = await kubectl('get', '--raw', `/api/v1/namespaces/${namespace}/pods/${leader}:9464/proxy/metrics`)
  const [, count] = /^slipway_tasks\{[^}]*state="READY"[^}]*\} (\d+)$/m.exec(text) ?? []
  return Number(count)
}
