import assert from 'node:assert/strict'
import { aBrowser } from '../../helpers/push-service.ts'
import { heldUntil, IMAGE, MINUTE } from '../cluster.ts'
import { type Release, discard, helm, imageValues, install, namespaceOf } from '../release.ts'

const NAMESPACE = namespaceOf('uninstall')
const SUBSCRIPTIONS = 'secret/slipway-push-subscriptions'
/** Files with the values of test/e2e/install. */
const FILES = ['test/e2e/files/values.yaml', process.env['SLIPWAY_E2E_VALUES']].filter((file) => file !== undefined)
const VALUES = [...FILES.flatMap((file) => ['--values', file]), ...imageValues(IMAGE)]

/** Nobody is there, and the server need not ask: whether it knows the endpoint is enough. */
const { subscription } = aBrowser('https://push.invalid/one')

/** Everything that people see of the work so far, as one value to compare. */
async function shown({ api }: Release): Promise<unknown> {
  const params = { id: 'reviewed-1' }
  return {
    tasks: (await api.listTasks({ query: {} })).map(({ id, state, branch, head }) => ({ id, state, branch, head })),
    stdout: await api.getExecutionStdout({ params }),
    diff: await api.getExecutionDiff({ params }),
    project: (await api.getProject({ params: { id: 'sample' } })).remote_url,
    vapid: await api.getVapidKey(),
  }
}

describe('an uninstall', function () {
  this.timeout(4 * MINUTE)
  // Each step stands on the one before.
  this.bail(true)
  let release: Release
  let expected: unknown
  let subscriptions: string

  before(async () => {
    release = await install(NAMESPACE)
    await release.api.subscribePush({ body: subscription })
    await release.submit('reviewed', 'echo reviewed; echo x > reviewed.txt')
    await release.untilState('reviewed', 'READY', 2 * MINUTE)
    await release.submit('endless', `echo started; ${heldUntil('never')}`)
    await release.submit('behind', 'echo y > y.txt', { depends_on: ['endless'] })
    await release.untilAgentRuns('endless')
  })
  after(async () => {
    await release.kubectl('delete', 'quota', 'full', '--ignore-not-found')
    await discard(NAMESPACE)
  })

  it('for whose hook a full quota has no room fails, stops nothing, and is done as docs/operate/uninstall.md says', async () => {
    const running = await release.kubectl('get', 'pods', '--field-selector=status.phase=Running', '-o', 'name')
    await release.kubectl('create', 'quota', 'full', `--hard=pods=${running.trim().split('\n').length}`)
    await assert.rejects(helm('uninstall', 'slipway', '-n', NAMESPACE, '--timeout', '3s'), /timed out/)
    assert.equal(await release.field('tasks.slipway.dev/endless', '.status.state'), 'RUNNING')
    const stop = ['slipway', 'stop-executions', '--namespace', NAMESPACE]
    await release.kubectl('exec', 'deployment/slipway-operator', '--', ...stop)
    expected = await shown(release)
    subscriptions = await release.field(SUBSCRIPTIONS, '.data')
    assert.notEqual(subscriptions, '')
    await helm('uninstall', 'slipway', '-n', NAMESPACE, '--no-hooks')
    await release.kubectl('delete', 'job/slipway-stop-executions', 'quota/full')
  })

  it('leaves the definitions, the work and the data volume, and no process', async () => {
    await release.kubectl('wait', '--for=delete', 'pods', '-l', 'app.kubernetes.io/name=slipway', '--timeout=60s')
    assert.equal(await release.field('tasks.slipway.dev/endless', '.status.state'), 'CANCELLED')
    assert.equal(await release.field('tasks.slipway.dev/reviewed', '.status.state'), 'READY')
    assert.equal(await release.field('pvc/slipway-data', '.status.phase'), 'Bound')
    assert.equal(await release.field('pods', '.items[?(@.status.phase=="Running")].metadata.name'), 'git-server')
    assert.equal(await release.field('executions.slipway.dev', '.items[*].metadata.finalizers'), '')
  })

  it('is undone by an install under the same name: tasks, output, diffs and push subscriptions are found again', async () => {
    await helm('install', 'slipway', 'charts/slipway', '-n', NAMESPACE, ...VALUES, '--wait')
    assert.deepEqual(await shown(release), expected)
    assert.equal(await release.field(SUBSCRIPTIONS, '.data'), subscriptions)
    await release.api.acceptTask({ params: { id: 'reviewed' } })
    await release.untilState('reviewed', 'COMPLETED')
    await release.api.runTask({ params: { id: 'endless' } })
    await release.untilAgentRuns('endless')
    await release.letGo('never')
    await release.untilState('endless', 'READY')
  })
})
