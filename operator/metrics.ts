/** Every metric of the operator: name, help text and labels. docs/metrics.md says the same for people. */
import type { Metrics } from '../lib/metrics.ts'

/** Seconds of writes over a network: a reconcile makes a few. */
const STEP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Seconds of waiting for agents and people: from an instant to a week. */
const WAIT_SECONDS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400, 259_200, 604_800]

/** Seconds of a project's checks: from a linter to what the longest time limit allows. */
const CHECK_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200]

export type OperatorMetrics = ReturnType<typeof createOperatorMetrics>

/** Makes the operator's instruments, once per registry. */
export function createOperatorMetrics(metrics: Metrics) {
  return {
    isLeader: metrics.gauge('slipway_leader', 'Whether this operator leads: 1 or 0.', []),
    reconciles: metrics.counter('slipway_reconcile_total', 'Reconciles that have ended, by how.', [
      'controller',
      'outcome',
    ]),
    reconcileSeconds: metrics.histogram(
      'slipway_reconcile_duration_seconds',
      'Time that a reconcile took, its writes included.',
      ['controller'],
      STEP_SECONDS,
    ),
    queueDepth: metrics.gauge('slipway_workqueue_depth', 'Keys that are ready and not yet taken by a worker.', [
      'controller',
    ]),
    queueWaitSeconds: metrics.histogram(
      'slipway_workqueue_wait_seconds',
      'Time that a key was ready before a worker took it.',
      ['controller'],
      STEP_SECONDS,
    ),
    queueRetries: metrics.counter(
      'slipway_workqueue_retries_total',
      'Keys that are tried again after a failure or a lost race.',
      ['controller'],
    ),
    stalledWork: metrics.gauge(
      'slipway_volume_stalled_work',
      'Pieces of file work that the data volume has not answered for 10 seconds.',
      [],
    ),
    missingPolicies: metrics.gauge(
      'slipway_admission_policies_missing',
      'Whether the admission policies that the configuration asks for are not in force: 1 or 0.',
      [],
    ),
    tasks: metrics.gauge('slipway_tasks', 'Tasks by state.', ['state']),
    taskStateSeconds: metrics.histogram(
      'slipway_task_state_duration_seconds',
      'Time that a task spent in a state, observed when it leaves it; READY is the wait for a person.',
      ['state'],
      WAIT_SECONDS,
    ),
    queuedTasks: metrics.gauge('slipway_agent_queued_tasks', 'QUEUED tasks that wait for an agent.', ['agent']),
    taskWaitSeconds: metrics.histogram(
      'slipway_agent_queue_wait_seconds',
      'Time from QUEUED to RUNNING of the tasks that an agent was given.',
      ['agent'],
      WAIT_SECONDS,
    ),
    executions: metrics.counter(
      'slipway_executions_total',
      'Executions that have ended; category says why one failed and is empty otherwise.',
      ['agent', 'purpose', 'state', 'category'],
    ),
    costUSD: metrics.counter('slipway_execution_cost_usd_total', 'Cost of ended executions in US dollars.', ['agent']),
    projectCostUSD: metrics.counter(
      'slipway_project_cost_usd_total',
      'Cost of ended executions in US dollars, by project; empty for those of none.',
      ['project'],
    ),
    ...createCheckMetrics(metrics),
    archivings: metrics.counter(
      'slipway_archivings_total',
      'Finished tasks that were to leave the cluster, by what became of them: moved or failed.',
      ['outcome'],
    ),
    drains: metrics.counter('slipway_agent_drains_total', 'Times that an agent was drained.', ['agent']),
    isDrained: metrics.gauge('slipway_agent_drained', 'Whether an agent waits for an undrain: 1 or 0.', ['agent']),
    limits: metrics.counter('slipway_agent_rate_limits_total', 'Times that an agent met a limit of its provider.', [
      'agent',
    ]),
    isLimited: metrics.gauge('slipway_agent_rate_limited', 'Whether a limit of its provider holds an agent: 1 or 0.', [
      'agent',
    ]),
  }
}

function createCheckMetrics(metrics: Metrics) {
  return {
    checks: metrics.counter(
      'slipway_checks_total',
      'Checks of work that have ended, by the state that their execution records: Passed, Failed, TimedOut or Skipped.',
      ['project', 'state'],
    ),
    checkSeconds: metrics.histogram(
      'slipway_check_duration_seconds',
      'Time that a check ran.',
      ['project'],
      CHECK_SECONDS,
    ),
    checkMends: metrics.counter(
      'slipway_check_mends_total',
      'Rounds in which an agent was asked to mend what checks had found.',
      ['project'],
    ),
  }
}
