import assert from 'node:assert/strict'
import type { Agent, Execution, Project, Task } from '../../core/crd/types.ts'
import type { Change } from '../../kube/cache.ts'
import type { KubeObject } from '../../kube/types.ts'
import { type MetricsRegistry, openMetrics } from '../../lib/metrics.ts'
import type { Informers } from '../../operator/informers.ts'
import { type MetricsRecorder, createMetricsRecorder } from '../../operator/metrics-recorder.ts'
import { aProject, aTask, anAgent, anExecution, NAMESPACE, text } from '../helpers/build.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { parseExposition, sumOf } from '../helpers/exposition.ts'
import { until } from '../helpers/until.ts'

/** Objects that change when the test says so. */
function fakeInformer<T extends KubeObject>() {
  const objects = new Map<string, T>()
  const handlers: ((change: Change<T>) => void)[] = []
  return {
    onChange: (handler: (change: Change<T>) => void) => void handlers.push(handler),
    list: () => [...objects.values()],
    get: ({ name }: { name: string }) => objects.get(name),
    byIndex: () => [...objects.values()],
    set(object: T) {
      const previous = objects.get(object.metadata.name)
      objects.set(object.metadata.name, object)
      for (const handler of handlers) handler(previous ? { type: 'update', object, previous } : { type: 'add', object })
    },
    remove(previous: T) {
      objects.delete(previous.metadata.name)
      for (const handler of handlers) handler({ type: 'delete', previous })
    },
  }
}

describe('what the operator measures', () => {
  let clock: ManualClock
  let isMissing: boolean
  let metrics: MetricsRegistry
  let recorder: MetricsRecorder
  let tasks: ReturnType<typeof fakeInformer<Task>>
  let executions: ReturnType<typeof fakeInformer<Execution>>
  let agents: ReturnType<typeof fakeInformer<Agent>>
  let projects: ReturnType<typeof fakeInformer<Project>>

  beforeEach(async () => {
    clock = manualClock()
    metrics = await openMetrics()
    recorder = createMetricsRecorder(metrics, clock, () => 2)
    tasks = fakeInformer()
    executions = fakeInformer()
    agents = fakeInformer()
    isMissing = false
    projects = fakeInformer()
    const informers = { tasks, executions, agents, projects } as unknown as Informers
    recorder.watch({ informers, namespace: NAMESPACE, policies: { missing: () => (isMissing ? 'gone' : undefined) } })
    agents.set(anAgent({ name: 'script' }))
  })
  const sum = async (name: string, labels: Record<string, string> = {}): Promise<number> =>
    sumOf(parseExposition(await metrics.text()), name, labels)

  it('says while it leads whether the admission policies are missing', async () => {
    recorder.lead(true)
    assert.equal(await sum('slipway_admission_policies_missing'), 0)
    isMissing = true
    assert.equal(await sum('slipway_admission_policies_missing'), 1)
  })

  it('adds up costs by project, with no name of what is none, until the project goes', async () => {
    recorder.lead(true)
    const shop = aProject({ name: 'shop' })
    projects.set(shop)
    const ends = (name: string, project: string | undefined, costUSD: number): void => {
      const labels = project === undefined ? {} : { 'slipway.dev/project': project }
      const running = anExecution({ name, status: { state: 'RUNNING' } })
      const started = { ...running, metadata: { ...running.metadata, labels } }
      executions.set(started)
      executions.set({ ...started, status: { state: 'FAILED', costUSD } })
    }
    ends('a', 'shop', 0.5)
    ends('b', 'shop', 0.25)
    ends('c', 'anything', 1)
    ends('d', undefined, 2)
    const costs = (project: string) => sum('slipway_project_cost_usd_total', { project })
    assert.deepEqual([await costs('shop'), await costs(''), await costs('anything')], [0.75, 3, 0])
    projects.remove(shop)
    await until('its series has gone', async () => (await costs('shop')) === 0)
  })

  it('counts each check that ends once, how long it ran, and the rounds in which an agent mends', async () => {
    recorder.lead(true)
    projects.set(aProject({ name: 'shop' }))
    const record = (status: NonNullable<Execution['status']>): void => {
      const execution = anExecution({ name: 'a', status })
      executions.set({ ...execution, metadata: { ...execution.metadata, labels: { 'slipway.dev/project': 'shop' } } })
    }
    const red = { name: 'test', round: 1, state: 'Failed', seconds: 12 } as const
    const green = { name: 'test', round: 2, state: 'Passed', seconds: 30 } as const
    record({ state: 'RUNNING' })
    record({ state: 'RUNNING', checks: [{ name: 'test', round: 1, state: 'Running' }] })
    record({ state: 'RUNNING', checks: [red] })
    record({ state: 'RUNNING', rounds: 2, checks: [red] })
    record({ state: 'RUNNING', rounds: 2, checks: [red, { name: 'test', round: 2, state: 'Running' }] })
    record({
      state: 'COMPLETED',
      rounds: 2,
      checks: [red, green, { name: 'lint', round: 2, state: 'Skipped', seconds: 0 }],
    })
    record({ state: 'COMPLETED', rounds: 2, checks: [red, green], summary: text('written later') })
    const of = (state: string) => sum('slipway_checks_total', { project: 'shop', state })
    assert.deepEqual([await of('Failed'), await of('Passed'), await of('Skipped'), await of('Running')], [1, 1, 1, 0])
    assert.deepEqual(
      [
        await sum('slipway_check_duration_seconds_count', { project: 'shop' }),
        await sum('slipway_check_duration_seconds_sum', { project: 'shop' }),
        await sum('slipway_check_mends_total', { project: 'shop' }),
      ],
      [2, 42, 1],
    )
  })

  const readySince = (finishedAt: string): Task => aTask({ status: { state: 'READY', finishedAt } })

  it('observes how long a READY task waited for a person when it leaves the state', async () => {
    recorder.lead(true)
    tasks.set(readySince('2026-01-01T00:00:00Z'))
    await clock.advance(90_000)
    tasks.set(aTask({ status: { state: 'COMPLETED' } }))
    assert.deepEqual(
      [
        await sum('slipway_task_state_duration_seconds_sum', { state: 'READY' }),
        await sum('slipway_task_state_duration_seconds_count'),
        await sum('slipway_tasks', { state: 'COMPLETED' }),
        await sum('slipway_tasks', { state: 'READY' }),
      ],
      [90, 1, 1, 0],
    )
  })

  it('takes the wait for an agent from the task itself, so that it is right after a restart too', async () => {
    recorder.lead(true)
    const queuedAt = '2026-01-01T00:00:00Z'
    const agent = { type: 'script' }
    tasks.set(aTask({ status: { state: 'QUEUED', queuedAt, agent } }))
    tasks.set(aTask({ status: { state: 'RUNNING', queuedAt, startedAt: '2026-01-01T00:00:42Z', agent } }))
    assert.equal(await sum('slipway_agent_queue_wait_seconds_sum', { agent: 'script' }), 42)
  })

  it('counts an execution that ended once, with its category and cost', async () => {
    recorder.lead(true)
    executions.set(anExecution({ status: { state: 'RUNNING' } }))
    const failed = { state: 'FAILED', error: { category: 'git', message: 'refused' }, costUSD: 0.25 } as const
    executions.set(anExecution({ status: failed }))
    executions.set(anExecution({ status: { ...failed, summary: 'written later' } }))
    assert.deepEqual(
      [
        await sum('slipway_executions_total', { agent: 'script', state: 'FAILED', category: 'git' }),
        await sum('slipway_execution_cost_usd_total', { agent: 'script' }),
      ],
      [1, 0.25],
    )
  })

  it('counts each drain and limit once, and shows whether they hold', async () => {
    recorder.lead(true)
    const drained = { since: '2026-01-01T00:00:00Z', reason: 'three in a row' }
    const rateLimitedUntil = '2026-01-01T00:10:00Z'
    agents.set(anAgent({ name: 'script', status: { drained } }))
    agents.set(anAgent({ name: 'script', status: { drained, rateLimitedUntil } }))
    agents.set(anAgent({ name: 'script', status: { rateLimitedUntil } }))
    assert.deepEqual(
      [
        await sum('slipway_agent_drains_total'),
        await sum('slipway_agent_rate_limits_total'),
        await sum('slipway_agent_drained', { agent: 'script' }),
        await sum('slipway_agent_rate_limited', { agent: 'script' }),
      ],
      [1, 1, 0, 1],
    )
    await clock.advance(600_000)
    assert.equal(await sum('slipway_agent_rate_limited', { agent: 'script' }), 0)
  })

  it('counts nothing and shows no gauge while another operator leads', async () => {
    tasks.set(readySince('2026-01-01T00:00:00Z'))
    tasks.set(aTask({ status: { state: 'COMPLETED' } }))
    const shown = await metrics.text()
    assert.equal(await sum('slipway_task_state_duration_seconds_count'), 0)
    assert.doesNotMatch(shown, /^slipway_tasks\{/m)
    assert.doesNotMatch(shown, /^slipway_agent_queued_tasks\{/m)
    assert.match(shown, /^slipway_leader 0$/m)
  })

  it('shows no gauge of an earlier term once leadership is lost', async () => {
    recorder.lead(true)
    recorder.observe('task').depth?.(3)
    assert.equal(await sum('slipway_workqueue_depth', { controller: 'task' }), 3)
    recorder.lead(false)
    assert.doesNotMatch(await metrics.text(), /^slipway_(workqueue_depth|tasks)\{/m)
    // Its process has them, whoever leads.
    assert.equal(await sum('slipway_volume_stalled_work'), 2)
  })

  it('drops the series of an agent that is deleted, and makes none for one that never existed', async () => {
    recorder.lead(true)
    executions.set(anExecution({ status: { state: 'RUNNING' } }))
    executions.set(anExecution({ status: { state: 'COMPLETED' } }))
    executions.set(anExecution({ name: 'b-1', spec: { agent: 'made-up' }, status: { state: 'RUNNING' } }))
    executions.set(anExecution({ name: 'b-1', spec: { agent: 'made-up' }, status: { state: 'COMPLETED' } }))
    assert.doesNotMatch(await metrics.text(), /made-up/)
    assert.equal(await sum('slipway_executions_total', { agent: 'script' }), 1)
    agents.remove(anAgent({ name: 'script' }))
    await until('the series are gone', async () => !(await metrics.text()).includes('agent="script"'))
  })

  it('passes on what a controller reports, in seconds', async () => {
    recorder.lead(true)
    const hooks = recorder.observe('task')
    hooks.waited?.(250)
    hooks.retried?.()
    hooks.reconciled?.('failed', 1500)
    assert.deepEqual(
      [
        await sum('slipway_workqueue_wait_seconds_sum', { controller: 'task' }),
        await sum('slipway_workqueue_retries_total', { controller: 'task' }),
        await sum('slipway_reconcile_total', { controller: 'task', outcome: 'failed' }),
        await sum('slipway_reconcile_duration_seconds_sum', { controller: 'task' }),
      ],
      [0.25, 1, 1, 1.5],
    )
  })
})
