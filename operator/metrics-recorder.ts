/**
 * What the operator's metrics are counted from: hooks of its controllers, and changes in its caches.
 *
 * Only the leader counts. Each replica sees every change, so the sums over all of them would otherwise come out too
 * high; and one that does not lead shows no gauges, rather than what it knew when it last did.
 */
import type { Agent, CheckRun, Execution, Task } from '../core/crd/types.ts'
import { TASK_STATE_VALUES } from '../core/crd/enums.ts'
import { isTerminal } from '../core/execution/state.ts'
import { agentOf } from '../core/agent/waiting.ts'
import { projectOf } from '../core/stats/entry.ts'
import { stateOf } from '../core/task/decide.ts'
import { lastTransitionAt } from '../core/task/last-transition.ts'
import { parseTimestamp } from '../core/time.ts'
import type { Change } from '../kube/cache.ts'
import type { ControllerMetrics } from '../kube/controller.ts'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { PolicyWatch } from './admission-policies.ts'
import type { ArchivingPass } from './archiving.ts'
import { indexKey } from './context.ts'
import type { Informers } from './informers.ts'
import { type OperatorMetrics, createOperatorMetrics } from './metrics.ts'

export interface MetricsRecorder {
  /** For the controllers of this term. */
  observe(controller: string): ControllerMetrics
  /** Counts the changes in the caches of a namespace. */
  watch(scope: MeasuredNamespace): void
  /** One pass over finished tasks has ended. */
  archived(pass: ArchivingPass): void
  /** From now on this operator leads, or no longer does. */
  lead(isLeading: boolean): void
}

/** @param stalled how many pieces of file work the data volume has not answered */
export function createMetricsRecorder(metrics: Metrics, clock: Clock, stalled: () => number): MetricsRecorder {
  const instruments = createOperatorMetrics(metrics)
  const namespaces: MeasuredNamespace[] = []
  let queues: { readonly controller: string; keys: number }[] = []
  let isLeading = false

  const counting = (count: () => void): void => {
    if (isLeading) count()
  }
  metrics.onScrape(() => {
    instruments.isLeader.set({}, isLeading ? 1 : 0)
    const { tasks, queuedTasks, isDrained, isLimited, missingPolicies, queueDepth, stalledWork } = instruments
    for (const gauge of [tasks, queuedTasks, isDrained, isLimited, missingPolicies, queueDepth]) gauge.clear()
    // Also of one that led before: it holds threads of this process.
    stalledWork.set({}, stalled())
    if (!isLeading) return
    const depths = sumBy(
      queues,
      ({ controller }) => controller,
      ({ keys }) => keys,
    )
    for (const [controller, keys] of depths) queueDepth.set({ controller }, keys)
    missingPolicies.set({}, namespaces.some(({ policies }) => policies?.missing() !== undefined) ? 1 : 0)
    showTasks(instruments, namespaces)
    showAgents(instruments, namespaces, clock.now())
  })
  return {
    observe(controller) {
      const queue = { controller, keys: 0 }
      queues.push(queue)
      const { reconciles, reconcileSeconds, queueWaitSeconds, queueRetries } = instruments
      return {
        depth: (keys) => void (queue.keys = keys),
        waited: (ms) => queueWaitSeconds.observe({ controller }, ms / 1000),
        retried: () => queueRetries.add({ controller }),
        reconciled(outcome, ms) {
          reconciles.add({ controller, outcome })
          reconcileSeconds.observe({ controller }, ms / 1000)
        },
      }
    },
    watch(scope) {
      const { informers, namespace } = scope
      namespaces.push(scope)
      const isKnown = (agent: string): boolean => informers.agents.get({ namespace, name: agent }) !== undefined
      informers.tasks.onChange((change) => counting(() => countTask(instruments, change, isKnown, clock.now())))
      const isProject = (name: string): boolean => informers.projects.get({ namespace, name }) !== undefined
      informers.executions.onChange((change) =>
        counting(() => {
          countExecution(instruments, change, { isKnown, isProject })
          countChecks(instruments, change, isProject)
        }),
      )
      informers.projects.onChange((change) => {
        if (change.type === 'delete') void metrics.forget('project', change.previous.metadata.name)
      })
      informers.agents.onChange((change) => {
        counting(() => countAgent(instruments, change))
        if (change.type === 'delete') void metrics.forget('agent', change.previous.metadata.name)
      })
    },
    archived({ moved, failed }) {
      instruments.archivings.add({ outcome: 'moved' }, moved.length)
      instruments.archivings.add({ outcome: 'failed' }, failed.length)
    },
    lead(leads) {
      isLeading = leads
      if (!leads) queues = []
    },
  }
}

export interface MeasuredNamespace {
  readonly informers: Informers
  readonly namespace: string
  /** Where the installation asks for admission policies. */
  readonly policies?: Pick<PolicyWatch, 'missing'> | undefined
}

/** `isKnown`: only agents that exist are labels; what a task names is anybody's text. */
function countTask(
  { taskStateSeconds, taskWaitSeconds }: OperatorMetrics,
  change: Change<Task>,
  isKnown: (agent: string) => boolean,
  now: Date,
): void {
  if (change.type !== 'update') return
  const [before, after] = [stateOf(change.previous), stateOf(change.object)]
  if (before === after) return
  const since = lastTransitionAt(change.previous)
  if (since !== undefined) taskStateSeconds.observe({ state: before }, secondsBetween(since, now))
  const agent = agentOf(change.object)
  const { queuedAt, startedAt } = change.object.status ?? {}
  if (after !== 'RUNNING' || agent === undefined || !isKnown(agent)) return
  if (queuedAt === undefined || startedAt === undefined) return
  taskWaitSeconds.observe({ agent }, secondsBetween(parseTimestamp(queuedAt), parseTimestamp(startedAt)))
}

function countExecution(
  { executions, costUSD, projectCostUSD }: OperatorMetrics,
  change: Change<Execution>,
  { isKnown, isProject }: Readonly<Record<'isKnown' | 'isProject', (name: string) => boolean>>,
): void {
  if (change.type !== 'update' || isTerminal(change.previous) || !isTerminal(change.object)) return
  const { spec, status } = change.object
  const { agent, purpose } = spec
  const project = projectOf(change.object)
  if (status?.costUSD !== undefined) projectCostUSD.add({ project: isProject(project) ? project : '' }, status.costUSD)
  if (agent === undefined || !isKnown(agent)) return
  executions.add({ agent, purpose, state: status?.state ?? 'FAILED', category: status?.error?.category ?? '' })
  if (status?.costUSD !== undefined) costUSD.add({ agent }, status.costUSD)
}

/**
 * A check that is run again in the same round, because its branch had moved or its pod was lost, counts again. What the names of
 * a project's checks are is anybody's text, and changes: they are no label.
 */
function countChecks(
  { checks, checkSeconds, checkMends }: OperatorMetrics,
  change: Change<Execution>,
  isProject: (name: string) => boolean,
): void {
  if (change.type !== 'update') return
  const [before, after] = [change.previous.status ?? {}, change.object.status ?? {}]
  const named = projectOf(change.object)
  const project = isProject(named) ? named : ''
  const hadEnded = (run: CheckRun): boolean =>
    (before.checks ?? []).some(
      ({ name, round, state }) => name === run.name && round === run.round && state !== 'Running',
    )
  for (const run of after.checks ?? []) {
    if (run.state === 'Running' || hadEnded(run)) continue
    checks.add({ project, state: run.state })
    if (run.state !== 'Skipped' && run.seconds !== undefined) checkSeconds.observe({ project }, run.seconds)
  }
  const mends = (after.rounds ?? 1) - (before.rounds ?? 1)
  if (mends > 0) checkMends.add({ project }, mends)
}

function countAgent({ drains, limits }: OperatorMetrics, change: Change<Agent>): void {
  if (change.type !== 'update') return
  const [before, after] = [change.previous.status, change.object.status]
  const agent = change.object.metadata.name
  if (before?.drained === undefined && after?.drained !== undefined) drains.add({ agent })
  const isNewLimit = after?.rateLimitedUntil !== undefined && after.rateLimitedUntil !== before?.rateLimitedUntil
  if (isNewLimit) limits.add({ agent })
}

function showTasks({ tasks }: OperatorMetrics, namespaces: readonly MeasuredNamespace[]): void {
  const all = namespaces.flatMap(({ informers, namespace }) => informers.tasks.list(namespace))
  const counts = sumBy(all, stateOf, () => 1)
  for (const state of TASK_STATE_VALUES) tasks.set({ state }, counts.get(state) ?? 0)
}

/** Agents of one name in several namespaces are shown together. */
function showAgents(
  { queuedTasks, isDrained, isLimited }: OperatorMetrics,
  namespaces: readonly MeasuredNamespace[],
  now: Date,
): void {
  const all = namespaces.flatMap(({ informers, namespace }) =>
    informers.agents.list(namespace).map(({ metadata: { name }, status }) => ({
      name,
      queued: informers.tasks.byIndex('queued', indexKey(namespace, name)).length,
      drained: status?.drained === undefined ? 0 : 1,
      limited: status?.rateLimitedUntil !== undefined && parseTimestamp(status.rateLimitedUntil) > now ? 1 : 0,
    })),
  )
  const name = (agent: (typeof all)[number]): string => agent.name
  for (const [agent, queued] of sumBy(all, name, ({ queued }) => queued)) queuedTasks.set({ agent }, queued)
  for (const [agent, drained] of sumBy(all, name, ({ drained }) => drained)) isDrained.set({ agent }, drained)
  for (const [agent, limited] of sumBy(all, name, ({ limited }) => limited)) isLimited.set({ agent }, limited)
}

function sumBy<T, K>(items: readonly T[], keyOf: (item: T) => K, valueOf: (item: T) => number): ReadonlyMap<K, number> {
  const sums = new Map<K, number>()
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + valueOf(item))
  return sums
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1000)
}
