/** The programs of a cluster. They stand apart from their commands, because they load most of Slipway. */
import { once } from 'node:events'
import { makeLogger } from '../lib/log.ts'
import { stoppingAll } from '../lib/stops.ts'
import type { RunningOperator } from '../operator/main.ts'
import { startClusterApi } from './api.ts'
import type { Invocation } from './command.ts'
import { connectCluster } from './control-plane.ts'
import { serveHealth } from './health.ts'
import { openConfiguredMetrics } from './metrics.ts'
import { startClusterOperator } from './stack.ts'

/** The operator of a cluster, until it is told to stop. */
export function runOperator({ config, terminal, signal }: Invocation): Promise<number> {
  return stoppingAll(async (onStop) => {
    const access = await connectCluster(config)
    onStop(access.close)
    const logger = makeLogger(config.logLevel)
    const metrics = await openConfiguredMetrics(config, logger)
    onStop(async () => metrics?.stop())
    let operator: RunningOperator | undefined
    // Probes come before the operator: an operator that no probe reaches must not lead.
    const health = await serveHealth(config.healthListen, () =>
      operator === undefined ? 'the operator is starting' : operator.notReadyReason(),
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

/** The API server of a cluster, until it is told to stop. */
export function runApiServer({ config, configFile, terminal, signal }: Invocation): Promise<number> {
  return stoppingAll(async (onStop) => {
    const logger = makeLogger(config.logLevel)
    const access = await connectCluster(config)
    onStop(access.close)
    const served = await openConfiguredMetrics(config, logger)
    onStop(async () => served?.stop())
    const api = await startClusterApi({ config, configFile, access, logger, served })
    onStop(api.stop)
    terminal.out(`ready ${api.url}\n`)
    if (!signal.aborted) await once(signal, 'abort')
    return 0
  })
}
