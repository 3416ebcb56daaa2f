/** The control plane of an installation that has no cluster: in this process, on loopback. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startControlPlane } from '../embedded/server.ts'
import { systemClock } from '../lib/clock.ts'
import type { Config } from '../lib/config-schema.ts'
import { writeFileAtomic } from '../lib/files.ts'
import type { Logger } from '../lib/log.ts'
import { type OnStop, startAll } from '../lib/stops.ts'
import { type EmbeddedAccess, clientsOf, DEFAULT_NAMESPACE } from './control-plane.ts'
import { storeFolder } from './data-dir.ts'
import { ensureDefaults, ensureNamespace } from './defaults.ts'
import { connectInProcess } from './in-process-client.ts'
import { readCrds } from './installation.ts'

/** Starts the embedded control plane on loopback and writes `<dataDir>/kubeconfig`, readable by its owner only. */
export async function openEmbedded(config: Config, logger: Logger): Promise<EmbeddedAccess> {
  return open(config, logger, ensureDefaults)
}

/** The same without what every installation starts with: for a backup, which has its own. */
export async function openBareEmbedded(config: Config, logger: Logger): Promise<EmbeddedAccess> {
  return open(config, logger, ensureNamespace)
}

async function open(config: Config, logger: Logger, ensure: typeof ensureNamespace): Promise<EmbeddedAccess> {
  const { started, stop } = await startAll((onStop) => startEmbedded(config, logger, onStop, ensure))
  return { ...started, close: stop }
}

async function startEmbedded(
  config: Config,
  logger: Logger,
  onStop: OnStop,
  ensure: typeof ensureNamespace,
): Promise<Omit<EmbeddedAccess, 'close'>> {
  const server = await startControlPlane({
    storeDir: storeFolder(config),
    crds: readCrds(),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    logger,
    randomBytes,
  })
  onStop(server.stop)
  const kubeconfigPath = join(config.dataDir, 'kubeconfig')
  await writeFileAtomic(kubeconfigPath, server.kubeconfig, 0o600)
  const { close, ...clients } = clientsOf(connectInProcess(server.api))
  onStop(close)
  const namespace = config.namespace ?? DEFAULT_NAMESPACE
  await ensure(clients.client, namespace)
  return {
    ...clients,
    namespace,
    kubeconfigPath,
    isExclusive: true,
    text: 'embedded control plane (one machine, not a cluster)',
    certificate: server.certificate,
    writeProblem: server.writeProblem,
  }
}
