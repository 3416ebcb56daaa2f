/**
 * Starts control plane, node, operator and API server in this order, and stops them in reverse.
 *
 * Node, operator and API server are clients of the control plane. They cannot tell the embedded one, whose verbs they call,
 * from a cluster, to which they speak HTTP.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Installation } from '../core/agent/availability.ts'
import { environmentImage } from '../core/environment/choose.ts'
import { withoutAbsent } from '../core/omit.ts'
import { type SharedObjects, createSharedObjects } from '../kube/shared-objects.ts'
import { systemClock } from '../lib/clock.ts'
import type { Config } from '../lib/config-schema.ts'
import type { Logger } from '../lib/log.ts'
import { type OnStop, startAll, startTogether } from '../lib/stops.ts'
import { type RunningOperator, startOperator } from '../operator/main.ts'
import { ensureLogins } from './agent-logins.ts'
import { commonOptions, startClusterOperator } from './cluster-operator.ts'
import { startClusterApi, startRestApi, formatPortNotice } from './api.ts'
import { type ControlPlaneAccess, type EmbeddedAccess, openCluster } from './control-plane.ts'
import { makeDataDir } from './data-dir.ts'
import { checkGit } from './doctor/git.ts'
import { openEmbedded } from './embedded-control-plane.ts'
import { replayCommand, runnerCommand } from './installation.ts'
import { NO_ENVIRONMENTS } from '../core/sentences/environment.ts'
import { chooseIsolation } from './isolation.ts'
import { createProgramProbe } from './probe-programs.ts'
import { openLogger } from './log.ts'
import { type LocalEnvironment, localVolume, openLocalEnvironment, secretsRoot, startLocalNode } from './local-node.ts'
import { type ServedMetrics, apiMetrics, openConfiguredMetrics } from './metrics.ts'
import { findRunningTasks } from './running-tasks.ts'
import { explainHeld, noteServing } from './serving.ts'

export interface StackOptions {
  readonly config: Config
  /** Absolute; the server stores the settings that it makes in this file. */
  readonly configFile: string
  /** Use a cluster: that of `config.kubeconfig`, else of `KUBECONFIG`. */
  readonly cluster: boolean
}

export interface RunningStack {
  readonly url: string
  /** One or two sentences: which control plane, which isolation. */
  readonly notice: string
  /** Names of the tasks whose agents are running; they go on when the stack stops. */
  findRunning(): Promise<string[]>
  /** Stops everything but running executions: they go on, and the next start finds them again. */
  stop(): Promise<void>
}

/** @throws Error when a part cannot start; what had started by then is stopped */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  try {
    const { started, stop } = await startAll((onStop) => startParts(options, onStop))
    return { ...started, stop }
  } catch (error) {
    throw await explainHeld(error, options.config.dataDir)
  }
}

async function startParts(options: StackOptions, onStop: OnStop): Promise<Omit<RunningStack, 'stop'>> {
  const { config, cluster } = options
  const logger = await openLogger(config)
  await makeDataDir(config.dataDir)
  const start = cluster || config.kubeconfig !== undefined ? startOnCluster : startHere
  return start(options, logger, onStop)
}

/** Everything on this machine; `open` gives the control plane that it is the node of. */
export async function startHere(
  { config, configFile }: Pick<StackOptions, 'config' | 'configFile'>,
  logger: Logger,
  onStop: OnStop,
  open: (config: Config, logger: Logger) => Promise<EmbeddedAccess> = openEmbedded,
): Promise<Omit<RunningStack, 'stop'>> {
  // Tries a sandbox while the control plane opens. If that fails first, nobody awaits this promise.
  const choosing = chooseIsolation(config.runtime)
  choosing.catch(() => undefined)
  const access = await open(config, logger)
  onStop(access.close)
  const metrics = await openConfiguredMetrics(config, logger)
  onStop(async () => metrics?.stop())
  const owner = { env: process.env, home: homedir() }
  const [local] = await Promise.all([
    openLocalEnvironment(config, access, choosing),
    ensureLogins(access.client, access.namespace, owner),
  ])
  const shared = createSharedObjects()
  let operator: RunningOperator | undefined
  const api = startRestApi({
    shared,
    config,
    configFile,
    access: withOperator(access, () => operator),
    isEmbedded: true,
    environmentImage: environmentImage(installationOf(config, local), config.image),
    volumeRoot: localVolume(config),
    workspaceRoot: join(config.dataDir, 'workspace'),
    logger,
    metrics: apiMetrics(metrics),
    environmentProblem: local.isolation.kind === 'none' ? NO_ENVIRONMENTS : undefined,
    findPrograms: createProgramProbe({ owner, installation: installationOf(config, local), clock: systemClock }),
  })
  await startTogether(onStop, [
    startLocalNode(config, access, local, logger),
    startLocalOperator({ shared, config, access, local, logger, served: metrics }).then((it) => (operator = it)),
    api,
  ])
  const { url } = await api
  onStop(await noteServing(config.dataDir, url))
  const findRunning = () => findRunningTasks(access.client, access.namespace, logger)
  const about = `${access.text}; ${local.isolation.text}${formatTokenNotice(config)}${shown(metrics)}${await formatGitNotice()}`
  return {
    url,
    findRunning,
    notice: `${about}${formatPortNotice(config, url)}.`,
  }
}

/** One process has one /readyz, which reports the operator too. */
function withOperator(access: ControlPlaneAccess, find: () => RunningOperator | undefined): ControlPlaneAccess {
  return {
    ...access,
    writeProblem: async () => (await access.writeProblem?.()) ?? find()?.notReadyReason(),
    heldReason: () => find()?.heldReason(),
    idleReason: () => find()?.idleReason(),
  }
}

/** No isolation here covers the network: everything that runs on this machine reaches our port. */
export function formatTokenNotice({
  token,
  tokens,
  insecure,
  identity,
}: Pick<Config, 'token' | 'tokens' | 'insecure'> & Partial<Pick<Config, 'identity'>>): string {
  if (token !== undefined || tokens.length > 0 || identity?.oidc !== undefined) return ''
  return insecure
    ? '; no token is set, so whoever can reach this API may do everything: set SLIPWAY_TOKEN'
    : '; no token is set, so only this machine can reach this API, and executions may do what you may: to share it, set SLIPWAY_TOKEN and start with --listen 0.0.0.0:8080 --public-url http://<name of this machine>:8080'
}

/** Runs clone with git, so without it none starts. */
async function formatGitNotice(): Promise<string> {
  const { status, text, remedy } = await checkGit()
  return status === 'ok' ? '' : `; ${text} (${remedy})`
}

function shown(metrics: ServedMetrics | undefined): string {
  return metrics === undefined ? '' : `; metrics at ${metrics.url}`
}

/** Jobs run on the cluster's own nodes; the data volume must be mounted at `volumeRoot` here as well. */
async function startOnCluster(
  { config, configFile }: StackOptions,
  logger: Logger,
  onStop: OnStop,
): Promise<Omit<RunningStack, 'stop'>> {
  const access = await openCluster(config)
  onStop(access.close)
  const metrics = await openConfiguredMetrics(config, logger)
  onStop(async () => metrics?.stop())
  const operator = await startClusterOperator(config, access, logger, metrics)
  onStop(() => operator.stop())
  await operator.ready
  const both = withOperator(access, () => operator)
  const api = await startClusterApi({ config, configFile, access: both, logger, served: metrics })
  onStop(() => api.stop())
  const about = `${access.text}; executions run as pods of the cluster with image ${config.image}${shown(metrics)}`
  const notice = `${about}${formatPortNotice(config, api.url)}.`
  const findRunning = () => findRunningTasks(access.client, access.namespace, logger)
  return { url: api.url, findRunning, notice }
}

/** What agents find on this machine. */
function installationOf(config: Config, { isolation, programs }: LocalEnvironment): Installation {
  return {
    isolation: isolation.kind,
    allowUnsandboxed: config.runtime === 'process',
    embedded: true,
    programs: new Set(programs.found.map(({ command }) => command)),
    replay: replayCommand(),
  }
}

interface LocalOperator {
  readonly config: Config
  readonly access: ControlPlaneAccess
  readonly local: LocalEnvironment
  readonly logger: Logger
  readonly served: ServedMetrics | undefined
  /** With the API server of this process. */
  readonly shared: SharedObjects
}

/** The operator of an installation whose pods run on this machine, once it is ready. */
async function startLocalOperator({
  config,
  access,
  local,
  logger,
  served,
  shared,
}: LocalOperator): Promise<RunningOperator> {
  const { env, caBundle } = config.executionPods
  const operator = await startOperator({
    shared,
    ...commonOptions(config, access, logger),
    metrics: served?.metrics,
    volumeRoot: localVolume(config),
    credentialsRoot: secretsRoot(config),
    runnerCommand: runnerCommand(),
    installation: installationOf(config, local),
    gitUser: { home: homedir(), env: process.env },
    // The rest of the settings is about pods of a cluster.
    pods: withoutAbsent({ env, caBundle }),
  })
  await operator.ready
  return operator
}
