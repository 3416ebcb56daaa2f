/** The API server as a program of a cluster. */
import { once } from 'node:events'
import { stoppingAll } from '../lib/stops.ts'
import { startClusterApi } from './api.ts'
import type { Invocation } from './command.ts'
import { connectCluster } from './control-plane.ts'
import { openLogger } from './log.ts'
import { openConfiguredMetrics } from './metrics.ts'
import type { ApiConfig } from './settings.ts'

/** The API server of a cluster, until it is told to stop. */
export function runApiServer({ config, configFile, terminal, signal }: Invocation<ApiConfig>): Promise<number> {
  return stoppingAll(async (onStop) => {
    const logger = await openLogger(config)
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
