import { once } from 'node:events'
import { makeLogger } from '../../lib/log.ts'
import { startRestApi } from '../api.ts'
import type { Command } from '../command.ts'
import { connectCluster } from '../control-plane.ts'
import { apiMetrics, openConfiguredMetrics } from '../metrics.ts'

export const apiServerCommand: Command = {
  name: 'api-server',
  summary: 'Run the API server in a cluster',
  details: "Uses the pod's service account, or --kubeconfig.",
  flags: [],
  run: async ({ config, configFile, terminal, signal }) => {
    const logger = makeLogger(config.logLevel)
    const access = await connectCluster(config)
    const metrics = await openConfiguredMetrics(config, logger)
    const api = await startRestApi({
      config,
      configFile,
      access,
      isEmbedded: false,
      volumeRoot: config.volumeRoot,
      logger,
      metrics: apiMetrics(metrics),
    })
    terminal.out(`ready ${api.url}\n`)
    if (!signal.aborted) await once(signal, 'abort')
    await api.stop()
    await metrics?.stop()
    await access.close()
    return 0
  },
}
