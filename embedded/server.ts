import { setMaxListeners } from 'node:events'
import type { RequestListener } from 'node:http'
import { type Server, createServer } from 'node:https'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { createConnectionBudget } from '../lib/connection-budget.ts'
import { openElapsed } from '../lib/elapsed.ts'
import type { Logger } from '../lib/log.ts'
import { type OnStop, startAll } from '../lib/stops.ts'
import { loadAccess, saveAccess, toKubeconfig } from './access.ts'
import { makeObjectApi } from './api.ts'
import { BUILT_IN_KINDS } from './builtin/kinds.ts'
import { NAMESPACES } from './builtin/namespace.ts'
import { startCollector } from './collector/collector.ts'
import { followDefinitions, installDefinitions } from './definitions.ts'
import { startEventExpiry } from './event-expiry.ts'
import { close, listen } from './http/listen.ts'
import { type InProcessApi, makeInProcessApi } from './in-process.ts'
import { startJobController } from './jobs.ts'
import { storeKey } from './kind.ts'
import { makeRegistry } from './registry.ts'
import type { Store } from './storage/backend.ts'
import { openFolder } from './storage/folder.ts'
import { type Verbs, makeVerbs } from './verbs.ts'

/** Each costs about 45 kB; the product's own clients and kubectl need some dozens. */
const CONNECTIONS = 1024

export interface ControlPlaneOptions {
  /** Folder of the store; made when missing, readable by its owner only. One process at a time. */
  readonly storeDir: string
  /** CustomResourceDefinitions as parsed objects; created at start, and updated when they changed. */
  readonly crds: readonly unknown[]
  /** Address to listen on. */
  readonly host: string
  /** 0: the port of the last run if it is free, else any free one. */
  readonly port: number
  /** How many connections may be open; default {@link CONNECTIONS}. */
  readonly connections?: number
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
}

export interface ControlPlane {
  /** `https://host:port`. */
  readonly url: string
  /** YAML with the server, its certificate and a token; context namespace `default`. Valid across restarts. */
  readonly kubeconfig: string
  /** That of the kubeconfig. With it the server also shows its nodes who it is, as a client of theirs. */
  readonly certificate: string
  /** For clients in this process. */
  readonly api: InProcessApi
  /** Why it takes no writes now, by a look at the disk; undefined when it does. Reads go on meanwhile. */
  writeProblem(): Promise<string | undefined>
  /** Ends watches, lets writes become durable, frees the folder. */
  stop(): Promise<void>
}

/**
 * Starts a Kubernetes API server in this process, on an embedded store; resolves when it answers.
 *
 * @throws StoreError when another process holds the folder or a newer version wrote it
 * @throws StoreDamaged when the store is not what was written
 * @throws SchemaError when a given CRD is none
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { started, stop } = await startAll((onStop) => startParts(options, onStop))
  return { ...started, stop }
}

async function startParts(options: ControlPlaneOptions, onStop: OnStop): Promise<Omit<ControlPlane, 'stop'>> {
  const { clock, randomBytes, logger, host, storeDir } = options
  const { store, close: closeFolder } = await openFolder(storeDir, {
    onWritable(problem) {
      if (problem === undefined) logger.info('the store takes writes again')
      else logger.error({ error: problem }, 'the store takes no writes')
    },
  })
  onStop(closeFolder)
  const registry = makeRegistry(BUILT_IN_KINDS)
  const verbs = makeVerbs({ store, clock, randomBytes, namespaces: NAMESPACES })
  const unfollow = followDefinitions(store, registry)
  onStop(async () => unfollow())
  await Promise.all([ensureNamespaces(store, verbs), installDefinitions(store, verbs, options.crds)])
  const access = loadAccess(storeDir, host, clock.now(), randomBytes)
  const { certificate, key, token } = access
  const collector = startCollector({ store, registry, verbs, clock, logger })
  const eventExpiry = startEventExpiry({ store, verbs, clock, logger })
  const elapsed = openElapsed({ file: join(storeDir, 'clock.json'), clock, logger })
  const jobs = startJobController(makeObjectApi(store, registry, verbs), elapsed, clock, logger)
  onStop(() => Promise.all([jobs.stop(), collector.stop(), eventExpiry.stop()]))
  const stopping = new AbortController()
  // Every watch under way listens for the end: their number is that of the clients, not a leak.
  setMaxListeners(0, stopping.signal)
  const budget = createConnectionBudget({
    connections: options.connections ?? CONNECTIONS,
    clock,
    onFull: (connections) =>
      logger.warn({ connections }, 'connections to the control plane are running out: idle ones are being closed'),
  })
  const nodeLogin = { certificate, key }
  const context = { store, clock, verbs, registry, logger, stopping: stopping.signal, nodeLogin }
  const handle = handleLater(async () => {
    const { makeHandler } = await import('./http/handler.ts')
    return makeHandler({ ...context, token, onAuthorized: budget.trust })
  }, logger)
  const server: Server = createServer({ cert: certificate, key, noDelay: true }, handle)
  budget.watch(server)
  const port = await listen(server, host, options.port === 0 ? [access.port, 0] : [options.port])
  onStop(async () => {
    stopping.abort()
    await close(server)
  })
  await saveAccess(storeDir, { ...access, port })
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const writeProblem = async (): Promise<string | undefined> => (await store.problem())?.message
  return {
    url,
    kubeconfig: toKubeconfig(url, access),
    certificate,
    api: makeInProcessApi(context),
    writeProblem,
  }
}

/** Decoding requests, discovery, OpenAPI and tables are only for clients from outside: the first one loads them. */
export function handleLater(load: () => Promise<RequestListener>, logger: Logger): RequestListener {
  let loading: Promise<RequestListener> | undefined
  return (request, response) => {
    loading ??= load()
    loading.then(
      // Of a client that has gone meanwhile nothing would end the watch.
      (handle) => response.destroyed || handle(request, response),
      (error: unknown) => {
        loading = undefined
        logger.error({ error }, 'what answers clients from outside cannot be loaded; the next request tries again')
        response.destroy()
      },
    )
  }
}

/** Those that every cluster has. */
const INITIAL = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

async function ensureNamespaces(store: Store, verbs: Verbs): Promise<void> {
  const missing = INITIAL.filter((name) => store.latest(storeKey(NAMESPACES, { name })) === undefined)
  await Promise.all(missing.map((name) => verbs.create(NAMESPACES, undefined, { metadata: { name } })))
}
