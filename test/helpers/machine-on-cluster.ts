/**
 * Slipway with everything on this machine, on the kube-apiserver of a kubeconfig in place of the embedded control plane:
 * what tests start as a program, with the flags of `slipway serve` that it needs.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArguments } from '../../cli/server-command.ts'
import { serveCommand } from '../../cli/commands/serve.ts'
import { type EmbeddedAccess, openCluster } from '../../cli/control-plane.ts'
import { openLogger } from '../../cli/log.ts'
import { startHere } from '../../cli/stack.ts'
import type { ApiClient } from '../../kube/client.ts'
import { PODS } from '../../kube/resources.ts'
import type { Config } from '../../lib/config-schema.ts'
import { startAll } from '../../lib/stops.ts'
import { aCertificate } from './certificate.ts'

/** The program, for `node`. */
export const MACHINE_ON_CLUSTER = fileURLToPath(import.meta.url)

/** A client for the node of a test: of the pods of all namespaces it sees those of one, so that tests run side by side. */
export function ofNamespace(client: ApiClient, namespace: string): ApiClient {
  return {
    ...client,
    list: (resource, query, options) =>
      client.list(resource, resource.plural === PODS.plural ? { ...query, namespace } : query, options),
    watch: (resource, query, ...rest) =>
      client.watch(resource, resource.plural === PODS.plural ? { ...query, namespace } : query, ...rest),
  }
}

async function open(config: Config): Promise<EmbeddedAccess> {
  const access = await openCluster(config)
  const node = ofNamespace(access.as('node'), access.namespace)
  // No kube-apiserver trusts the certificate of the node, so nobody reads logs there; the API server has the volume.
  const { certificate } = aCertificate('nobody')
  return { ...access, certificate, as: (program) => (program === 'node' ? node : access.as(program)) }
}

async function main(args: readonly string[]): Promise<void> {
  const parsed = parseArguments(serveCommand, args, process.env)
  if (parsed === 'help') throw new Error('no help here')
  const { config, configFile } = parsed
  await nameNode(join(config.dataDir, 'node'))
  const logger = await openLogger(config)
  const { started, stop } = await startAll((onStop) => startHere({ config, configFile }, logger, onStop, open))
  process.stdout.write(`ready ${started.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit(0)))
}

/** A new data folder takes the name of the one node that it finds registered; here that may be another test's. */
async function nameNode(dir: string): Promise<void> {
  const file = join(dir, 'name.json')
  if (existsSync(file)) return
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await writeFile(file, JSON.stringify({ name: `slipway-test-${randomBytes(4).toString('hex')}` }))
}

if (process.argv[1] === MACHINE_ON_CLUSTER) await main(process.argv.slice(2))
