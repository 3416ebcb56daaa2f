// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { EXECUTIONS } from '../../../kube/resources.ts'
import { startApiServer } from '../../../api-server/main.ts'
import { asRecord } from '../../../core/json.ts'
import { openArchive } from '../../../lib/archive/archive.ts'
import { anExecution, aTask, text } from '../../helpers/build.ts'
import { manualClock } from '../../helpers/clock.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

describe('GET /api/stats', () => {
  // Time stands still, so that no hour ends in the middle of a test; the caches fill without it.
  const clock = manualClock(new Date('2026-03-10T10:30:00Z'))
  let api: Rig
  before(async () => {
    api = await startRig({ clock })
  })
  after(() => api.stop())

  const stats = async (window = '7d') => {
    const { status, body } = await api.get(`/api/stats?window=${window}`)
    assert.equal(status, 200)
    return body
  }
  const ended = (name: string, status: object) =>
    api.givenExecution(anExecution({ name, status: { finishedAt: '2026-03-10T09:10:00Z', ...status } }))

  it('has every section when nothing has ever run, for seven days unless asked otherwise', async () => {
    const { body } = await api.get('/api/stats')
    assert.equal(at(body, 'window'), '7d')
    assert.deepEqual(at(body, 'errors'), { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0, failures: [] })
    assert.equal(itemsOf(at(body, 'throughput')).length, 168)
    assert.deepEqual(
      ['total_7d_usd', 'average_per_day_usd', 'cost_per_run_usd'].map((field) => at(body, `billing.${field}`)),
      [0, 0, 0],
    )
    for (const [window, hours] of [
      ['24h', 24],
      ['7d', 168],
      ['30d', 720],
    ] as const) {
      const report = await stats(window)
      assert.deepEqual([at(report, 'window'), itemsOf(at(report, 'throughput')).length], [window, hours])
    }
  })

  it('refuses another window with 400 that names it', async () => {
    for (const window of ['1h', '7D', '']) {
      const { status, body } = await api.get(`/api/stats?window=${window}`)
      assert.equal(status, 400, window)
      assert.match(textAt(body, 'error'), /^window: must be one of 24h, 7d, 30d/)
    }
  })

  it('counts an execution once it has ended, and again as it is changed and deleted', async () => {
    const hour = async () => itemsOf(at(await stats('24h'), 'throughput')).at(-2)
    await ended('work-1', { state: 'COMPLETED', costUSD: 0.25 })
    await ended('work-2', { state: 'RUNNING' })
    await until('one is counted', async () => at(await hour(), 'completed') === 1)
    assert.deepEqual(await hour(), { hour: '2026-03-10T09:00:00Z', completed: 1, failed: 0, other: 0 })
    assert.equal(at(await stats(), 'billing.cost_per_run_usd'), 0.25)
    const [row] = itemsOf(at(await stats(), 'by_agent'))
    assert.deepEqual([at(row, 'id'), at(row, 'runs'), at(row, 'cost_usd')], ['script', 1, 0.25])
    assert.equal(at(itemsOf(at(await stats(), 'by_project'))[0], 'id'), undefined)
    const error = { category: 'git' as const, message: text('refused') }
    const finishedAt = '2026-03-10T09:20:00Z'
    await api.setStatus(EXECUTIONS, 'work-2', { state: 'FAILED', error, finishedAt })
    await until('the failure is counted', async () => at(await hour(), 'failed') === 1)
    const errors = at(await stats(), 'errors')
    assert.equal(at(errors, 'git'), 1)
    assert.deepEqual(at(errors, 'failures'), [
      { task_id: 'work', execution_id: 'work-2', category: 'git', message: text('refused'), at: finishedAt },
    ])
    for (const name of ['work-1', 'work-2']) await api.client.delete(EXECUTIONS, { namespace: api.namespace, name })
    await until('both are gone', async () => at(await hour(), 'completed') === 0 && at(await hour(), 'failed') === 0)
    assert.equal(at(await stats(), 'billing.total_7d_usd'), 0)
  })

  it('counts an execution once, before it is archived, in the archive, after a start, and when it is restored', async () => {
    const cost = async (url = api.url): Promise<unknown> => {
      const body: unknown = await (await fetch(`${url}/api/stats`)).json()
      return asRecord(asRecord(body)['billing'])['total_7d_usd']
    }
    const before = Number(await cost())
    const execution = await ended('gone-1', { state: 'COMPLETED', costUSD: 0.25 })
    await until('counted', async () => (await cost()) === before + 0.25)
    const archive = openArchive(api.volumeRoot)
    const task = aTask({ name: 'gone', metadata: { namespace: api.namespace }, status: { state: 'COMPLETED' } })
    await archive.add({ archivedAt: '2026-03-10T10:00:00Z', task, executions: [execution] })
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: 'gone-1' })
    await until('deleted', async () => itemsOf((await api.get('/api/executions?task_id=gone')).body).length === 0)
    await until('counted', async () => (await cost()) === before + 0.25)
    const second = await startApiServer(api.options)
    await until('counted', async () => (await cost(second.url)) === before + 0.25)
    await second.stop()
    await ended('gone-1', { state: 'COMPLETED', costUSD: 0.25 })
    await until('restored', async () => itemsOf((await api.get('/api/executions?task_id=gone')).body).length === 1)
    assert.equal(await cost(), before + 0.25)
    await archive.remove(api.namespace, 'gone')
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: 'gone-1' })
    await until('counted', async () => (await cost()) === before)
  })

  it('counts nothing twice or below zero when an execution comes back from the archive that no window has any more', async () => {
    const billed = async (): Promise<unknown> => at(await stats('30d'), 'billing.total_7d_usd')
    const isListed = async (task: string): Promise<boolean> =>
      itemsOf((await api.get(`/api/executions?task_id=${task}`)).body).length > 0
    const execution = await ended('late-1', { state: 'FAILED', costUSD: 0.25 })
    await until('counted', async () => (await billed()) === 0.25)
    const task = aTask({ name: 'late', metadata: { namespace: api.namespace }, status: { state: 'FAILED' } })
    const archive = openArchive(api.volumeRoot)
    await archive.add({ archivedAt: '2026-03-10T10:00:00Z', task, executions: [execution] })
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: 'late-1' })
    await until('archived', async () => !(await isListed('late')))
    await until('counted', async () => (await billed()) === 0.25)
    clock.set(40 * 86_400_000)
    await ended('now-1', { state: 'COMPLETED', costUSD: 0.5, finishedAt: '2026-04-19T10:00:00Z' })
    await until('counted', async () => (await billed()) === 0.5)
    await ended('late-1', { state: 'FAILED', costUSD: 0.25 })
    await until('restored', () => isListed('late'))
    await archive.remove(api.namespace, 'late')
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: 'late-1' })
    await until('deleted', async () => !(await isListed('late')))
    // As a clock that was wrong: what was dropped is nothing, and no debt either.
    clock.set(-40 * 86_400_000)
    assert.deepEqual([await billed(), at(await stats('30d'), 'errors.failed')], [0, 0])
  })

  it('counts everything again once a clock that was days ahead is right', async () => {
    const billed = async (): Promise<unknown> => at(await stats('30d'), 'billing.total_7d_usd')
    const before = Number(await billed())
    const archived = anExecution({
      name: 'kept-1',
      status: { state: 'COMPLETED', costUSD: 0.25, finishedAt: '2026-03-10T09:10:00Z' },
    })
    const task = aTask({ name: 'kept', metadata: { namespace: api.namespace }, status: { state: 'COMPLETED' } })
    await ended('live-1', { state: 'COMPLETED', costUSD: 0.5 })
    await until('counted', async () => (await billed()) === before + 0.5)
    clock.set(40 * 86_400_000)
    // Not before: what the test above has set off may still read the archive.
    await openArchive(api.volumeRoot).add({ archivedAt: '2026-03-10T10:00:00Z', task, executions: [archived] })
    const ahead = Number(await billed())
    await ended('ahead-1', { state: 'COMPLETED', costUSD: 1, finishedAt: '2026-04-19T10:00:00Z' })
    await until('the change is heard of', async () => (await billed()) === ahead + 1)
    clock.set(-40 * 86_400_000)
    await until('counted again, with the archive', async () => (await billed()) === before + 0.75)
    await ended('live-2', { state: 'COMPLETED', costUSD: 0.5 })
    await until('what ends is counted', async () => (await billed()) === before + 1.25)
  })
})
