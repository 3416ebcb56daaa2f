import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import process from 'node:process'
import { followHeld } from '../lib/belonging.ts'
import { describeFewFiles, findOpenFilesLimit } from '../lib/open-files.ts'
import { startApiServer } from '../api-server/main.ts'
import type { FindPrograms } from '../api-server/handlers/agents-status.ts'
import type { ApiMetrics } from '../api-server/metrics.ts'
import type { PushSettings } from '../api-server/push/push.ts'
import type { SharedObjects } from '../kube/shared-objects.ts'
import { systemClock } from '../lib/clock.ts'
import type { Config } from '../lib/config-schema.ts'
import { findConfigRisk } from '../lib/config.ts'
import { ConfigError } from '../lib/config-place.ts'
import { splitListen } from '../lib/listen.ts'
import type { Logger } from '../lib/log.ts'
import type { ControlPlaneAccess } from './control-plane.ts'
import { apiDocsFolder, readBuild, uiFolder } from './installation.ts'
import { type ServedMetrics, apiMetrics } from './metrics.ts'
import type { ApiConfig } from './settings.ts'

export interface RestApiOptions {
  readonly config: ApiConfig
  readonly access: ControlPlaneAccess
  readonly isEmbedded: boolean
  readonly volumeRoot: string
  /** If the configuration names none. */
  readonly workspaceRoot: string
  readonly logger: Logger
  /** The server stores the settings that it makes in this file. */
  readonly configFile: string
  /** Why no setup of a project runs here; absent: they do. */
  readonly environmentProblem?: string | undefined
  /** Absent: agents run where images bring their programs. */
  readonly findPrograms?: FindPrograms
  /** Absent: the server keeps no metrics. */
  readonly metrics?: ApiMetrics | undefined
  /** Image of the agents that name none (core/environment/choose.ts); absent: there are no prepared environments. */
  readonly environmentImage?: string | undefined
  /** With the operator of this process; absent: with none. */
  readonly shared?: SharedObjects
}

/** What an API server needs that runs beside a cluster's own nodes. */
export interface ClusterApiOptions extends Pick<RestApiOptions, 'config' | 'configFile' | 'access' | 'logger'> {
  readonly served: ServedMetrics | undefined
}

/** Starts the API server of a cluster with nodes of its own; the data volume is mounted where the configuration says. */
export function startClusterApi({ served, ...options }: ClusterApiOptions): Promise<RestApi> {
  const { volumeRoot } = options.config
  const { access } = options
  return startRestApi({
    ...options,
    access: { ...access, heldReason: followHeld(volumeRoot, access.namespace) },
    isEmbedded: false,
    environmentImage: options.config.image,
    volumeRoot,
    workspaceRoot: '/workspace',
    metrics: apiMetrics(served),
  })
}

export interface RestApi {
  readonly url: string
  isReady(): boolean
  stop(): Promise<void>
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8080
/** So many ports after the default one are tried. */
const PORTS_TRIED = 50

/**
 * Starts the API server at the address of the configuration; without one, on the default port or the next free one.
 *
 * @throws Error that says what to do when the address that was asked for is taken
 * @throws ConfigError for tokens of a cluster without a cluster
 */
export async function startRestApi(options: RestApiOptions): Promise<RestApi> {
  const { configFile, logger } = options
  const { listen, identity, admissionPolicies, fourEyes } = options.config
  if (options.isEmbedded && identity.kubernetes !== undefined)
    throw new ConfigError(
      'configuration: identity.kubernetes: needs a cluster: the built-in control plane has one user',
    )
  if (options.isEmbedded && admissionPolicies)
    throw new ConfigError('configuration: admissionPolicies: needs a cluster: the built-in control plane has none')
  if (fourEyes && !admissionPolicies)
    throw new ConfigError(
      'configuration: fourEyes: needs admissionPolicies: without them nobody proves who authored a task',
    )
  const risk = findConfigRisk(configFile)
  if (risk !== undefined) logger.warn({ configFile }, `configuration file ${risk}`)
  const few = describeFewFiles(findOpenFilesLimit())
  if (few !== undefined) logger.warn(few)
  if (listen !== undefined) return startAtAddress(options, listen)
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      return await startAt(options, DEFAULT_HOST, port)
    } catch (error) {
      if (!isAddressInUse(error) || port >= DEFAULT_PORT + PORTS_TRIED) throw error
    }
  }
}

/** What people must know if the server did not get the port that commands use by default; else "". */
export function formatPortNotice({ listen }: Pick<Config, 'listen'>, url: string): string {
  if (listen !== undefined || new URL(url).port === String(DEFAULT_PORT)) return ''
  return `; port ${DEFAULT_PORT} is taken, so name this server to other commands: export SLIPWAY_SERVER=${url}`
}

async function startAtAddress(options: RestApiOptions, listen: string): Promise<RestApi> {
  try {
    return await startAt(options, ...splitListen(listen))
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    throw new Error(`${listen} is in use: stop what listens there, or choose another address with --listen`, {
      cause: error,
    })
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

async function startAt(options: RestApiOptions, host: string, port: number): Promise<RestApi> {
  const { config, access, isEmbedded, volumeRoot, logger, metrics, findPrograms } = options
  const { version, commit, builtAt } = readBuild()
  return startApiServer({
    client: access.as('api-server'),
    shared: options.shared,
    environmentImage: options.environmentImage,
    namespace: access.namespace,
    volumeRoot,
    workspaceRoot: config.workspaceRoot ?? options.workspaceRoot,
    host,
    port,
    ...(config.token === undefined ? {} : { token: config.token }),
    ...(config.webhookSecret === undefined ? {} : { webhookSecret: config.webhookSecret }),
    scriptsDir: config.scriptsDir,
    deployCommand: config.deployCommand,
    path: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    tokens: config.tokens,
    identity: config.identity,
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
    insecure: config.insecure,
    fourEyes: config.fourEyes,
    branchPrefix: config.branchPrefix,
    apiDocsFolder: apiDocsFolder(),
    uiFolder: uiFolder(),
    version: { version, commit, built_at: builtAt },
    embedded: isEmbedded,
    writeProblem: access.writeProblem,
    heldReason: access.heldReason,
    idleReason: access.idleReason,
    gitUser: isEmbedded ? { home: homedir(), env: process.env } : undefined,
    env: process.env,
    findPrograms,
    environmentProblem: options.environmentProblem,
    allowPrivateAddresses: config.allowPrivateAddresses,
    push: pushSettings(options),
    clock: systemClock,
    logger,
    metrics,
    randomBytes,
  })
}

/** Servers that share a cluster share the key there; a server that is alone keeps it in the configuration file. */
function pushSettings({ config, access, configFile }: RestApiOptions): PushSettings {
  return {
    vapidPrivateKey: config.vapidPrivateKey,
    vapidSubject: config.vapidSubject,
    allowPrivate: config.pushPrivateEndpoints,
    configFile: access.isExclusive ? configFile : undefined,
    isOnlyServer: access.isExclusive,
  }
}
