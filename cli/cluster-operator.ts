/** The operator as a program of a cluster. It stands apart, so that its process loads nothing of the API server or of an embedded installation. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { parseQuantity } from '../core/quantity.ts'
import { toRetention } from '../core/task/retention.ts'
import { systemClock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { stoppingAll } from '../lib/stops.ts'
import { threadPoolSize } from '../lib/thread-pool.ts'
import { type RunningOperator, startOperator } from '../operator/main.ts'
import type { Invocation } from './command.ts'
import { type ControlPlaneAccess, connectCluster } from './control-plane.ts'
import { serveHealth } from './health.ts'
import { openLogger } from './log.ts'
import { type ServedMetrics, openConfiguredMetrics } from './metrics.ts'
import type { OperatorConfig } from './settings.ts'

/** The operator of a cluster, until it is told to stop. */
export function runOperator({ config, terminal, signal }: Invocation<OperatorConfig>): Promise<number> {
  return stoppingAll(async (onStop) => {
    const access = await connectCluster(config)
    onStop(access.close)
    const logger = await openLogger(config)
    const metrics = await openConfiguredMetrics(config, logger)
    onStop(async () => metrics?.stop())
    let operator: RunningOperator | undefined
    // Probes come before the operator: an operator that no probe reaches must not lead.
    const health = await serveHealth(
      config.healthListen,
      () => (operator === undefined ? 'the operator is starting' : operator.notReadyReason()),
      () => operator?.heldReason(),
    )
    onStop(async () => health?.stop())
    operator = await startClusterOperator(config, access, logger, metrics)
    onStop(operator.stop)
    const stopped = signal.aborted ? undefined : once(signal, 'abort')
    // Without the right to list, the caches are never ready, and the pod must still be able to stop.
    await Promise.race([operator.ready, stopped])
    if (!signal.aborted) terminal.out('ready\n')
    await stopped
    return 0
  })
}

/** The operator of a cluster with nodes of its own. */
export function startClusterOperator(
  config: OperatorConfig,
  access: ControlPlaneAccess,
  logger: Logger,
  served: ServedMetrics | undefined,
): Promise<RunningOperator> {
  return startOperator({
    ...commonOptions(config, access, logger),
    metrics: served?.metrics,
    volumeRoot: config.volumeRoot,
    credentialsRoot: '/var/run/slipway',
    runnerCommand: ['slipway-runner'],
    installation: { isolation: 'container', allowUnsandboxed: false, embedded: false },
    pods: config.executionPods,
  })
}

/** What the operators of all installations are given. */
export function commonOptions(config: OperatorConfig, access: ControlPlaneAccess, logger: Logger) {
  return {
    client: access.as('operator'),
    namespaces: [access.namespace],
    // Containers can share host names and process ids, so only a random part is unique.
    identity: `${hostname()}_${randomUUID()}`,
    volumeClaim: config.volumeClaim,
    image: config.image,
    gitCredentials: config.gitCredentials,
    maxPushBytes: parseQuantity(config.maxPushSize),
    retention: toRetention(config.retention),
    room: config.retention,
    admissionPolicies: config.admissionPolicies,
    fourEyes: config.fourEyes,
    branchPrefix: config.branchPrefix,
    hostsEnv: config.hostCi ? process.env : undefined,
    clock: systemClock,
    logger,
    random: Math.random,
    threads: threadPoolSize(process.env),
    leaderElection: !access.isExclusive,
  }
}
