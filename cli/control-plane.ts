/** What the programs know of their control plane, and how they connect to a cluster; embedded-control-plane.ts opens the other kind. */
import { hostname } from 'node:os'
import process from 'node:process'
import type { ApiClient, ClientOptions } from '../kube/client.ts'
import { namespaceOf } from '../kube/config.ts'
import type { LoginSource } from '../kube/credentials.ts'
import { systemClock } from '../lib/clock.ts'
import type { Config } from '../lib/config-schema.ts'
import { ensureCrds, ensureDefaults } from './defaults.ts'
import { readBuild, readCrds } from './installation.ts'
import { openKubeconfig, USUAL_KUBECONFIG } from './kubeconfig.ts'

/** Where nothing names another one. */
export const DEFAULT_NAMESPACE = 'default'
const REQUEST_TIMEOUT_MS = 30_000

/** The programs that use the control plane. Each has its own client, so audit logs and managed fields tell them apart. */
export type Program = 'setup' | 'operator' | 'api-server' | 'node'

/** A person waits for the API server: a request that takes longer ends with 500, its outcome unknown (specification §11.3). */
const OBJECT_TIMEOUT_MS = 5_000

export interface ControlPlaneAccess {
  /** The client that sets up an installation. */
  readonly client: ApiClient
  /** The client of one program; `close` ends its connections too. */
  as(program: Program): ApiClient
  readonly namespace: string
  /** For `kubectl --kubeconfig`. */
  readonly kubeconfigPath: string
  /** True when nobody else can be using it, so that no leader has to be elected. */
  readonly isExclusive: boolean
  /** For the start message. */
  readonly text: string
  /** The reason why it accepts no writes now; undefined when it accepts them. Absent: it cannot be asked. */
  readonly writeProblem?: () => Promise<string | undefined>
  /** What waits for a person though everything works, where the operator is in this process. */
  readonly heldReason?: () => string | undefined
  /** Why no task starts, where the operator is in this process. */
  readonly idleReason?: () => string | undefined
  close(): Promise<void>
}

/** A control plane that this machine is the node of. */
export interface EmbeddedAccess extends ControlPlaneAccess {
  /** The authority, in PEM, by which nodes know the control plane as their client. */
  readonly certificate: string
}

/** Connects to the cluster of the configuration or of `KUBECONFIG`, and creates our CRDs, namespace and Agents there. */
export async function openCluster(config: Config): Promise<ControlPlaneAccess> {
  const access = await connectCluster(config)
  await ensureCrds(access.client, readCrds())
  await ensureDefaults(access.client, access.namespace)
  return access
}

/** Connects to a cluster and changes nothing there: programs that run in the cluster have no right to. */
export async function connectCluster(config: Pick<Config, 'kubeconfig' | 'namespace'>): Promise<ControlPlaneAccess> {
  const kubeConfig = await openKubeconfig({ path: config.kubeconfig }, process.env)
  const clients = await connect(kubeConfig)
  return {
    ...clients,
    namespace: config.namespace ?? namespaceOf(kubeConfig) ?? DEFAULT_NAMESPACE,
    kubeconfigPath: config.kubeconfig ?? process.env['KUBECONFIG'] ?? USUAL_KUBECONFIG,
    isExclusive: false,
    text: `cluster ${kubeConfig.getCurrentCluster()?.server ?? ''}`,
  }
}

async function connect(login: LoginSource): Promise<Clients> {
  // HTTP is for clusters: where the control plane is in this process, a start does without.
  const [{ createClient }, { createCredentials }] = await Promise.all([
    import('../kube/client.ts'),
    import('../kube/credentials.ts'),
  ])
  // The programs of a process share their connections: each costs a TLS handshake.
  const credentials = createCredentials(login, systemClock)
  return clientsOf(
    (options) => createClient(login, { ...options, credentials }),
    () => credentials.close(),
  )
}

type Clients = Pick<ControlPlaneAccess, 'client' | 'as' | 'close'>

/** One client for each program, made when it is asked for. */
export function clientsOf(make: (options: ClientOptions) => ApiClient, close?: () => Promise<void>): Clients {
  const clients = new Map<Program, ApiClient>()
  const as = (program: Program): ApiClient => {
    const client = clients.get(program) ?? make(clientOptions(program))
    clients.set(program, client)
    return client
  }
  const closeAll = async (): Promise<void> => {
    await Promise.all([...clients.values()].map((client) => client.close()))
    await close?.()
  }
  return { client: as('setup'), as, close: closeAll }
}

/** The user agent of a program, which also names its process for audit logs, and its field manager. */
export function clientOptions(program: Program): ClientOptions {
  const name = program === 'setup' ? 'slipway' : `slipway-${program}`
  return {
    userAgent: `${name}/${readBuild().version} (${hostname()}-${process.pid})`,
    fieldManager: name,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    ...(program === 'api-server' ? { objectTimeoutMs: OBJECT_TIMEOUT_MS } : {}),
  }
}
