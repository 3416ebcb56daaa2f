import { once } from 'node:events'
import { makeLogger } from '../../lib/log.ts'
import type { Command } from '../command.ts'
import { connectCluster } from '../control-plane.ts'
import { openConfiguredMetrics } from '../metrics.ts'
import { serveHealth } from '../health.ts'
import { startClusterOperator } from '../stack.ts'

/** Port of the probes, on all interfaces of the pod: a kubelet does not come over loopback. */
const HEALTH_PORT = 8081

export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator in a cluster',
  details: `Uses the pod's service account, or --kubeconfig. Serves /healthz and /readyz on port ${HEALTH_PORT}.`,
  flags: [],
  run: async ({ config, terminal, signal }) => {
    const access = await connectCluster(config)
    const logger = makeLogger(config.logLevel)
    const metrics = await openConfiguredMetrics(config, logger)
    const operator = await startClusterOperator(config, access, logger, metrics)
    const stopHealth = await serveHealth('0.0.0.0', HEALTH_PORT, operator.isReady)
    const stopped = signal.aborted ? undefined : once(signal, 'abort')
    // Caches that a missing right keeps empty never are ready, and the pod must end nevertheless.
    await Promise.race([operator.ready, stopped])
    if (!signal.aborted) terminal.out('ready\n')
    await stopped
    await operator.stop()
    await stopHealth()
    await metrics?.stop()
    await access.close()
    return 0
  },
}
