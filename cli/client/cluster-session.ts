/** The connection of client commands to a server in a cluster, by a kubeconfig alone. */
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { connect } from '../../core/rest/client/connect.ts'
import { createClient } from '../../kube/client.ts'
import { namespaceOf } from '../../kube/config.ts'
import { type LoginSource, currentCluster } from '../../kube/credentials.ts'
import { type FetchOver, fetchOver } from '../../kube/fetch-over.ts'
import { forwardPort } from '../../kube/port-forward.ts'
import { KubeError } from '../../kube/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { readBuild } from '../installation.ts'
import { type KubeconfigChoice, openKubeconfig } from '../kubeconfig.ts'
import {
  type FoundToken,
  type Place,
  type Target,
  explain,
  findTarget,
  findToken,
  formatServer,
} from './cluster-server.ts'
import {
  type CommonOptions,
  type Session,
  causeOf,
  checkedFetch,
  GIVEN_TOKEN_HINT,
  givenToken,
  ignore,
  ServerUnreachable,
} from './session.ts'

export interface ClusterChoice extends KubeconfigChoice {
  /** From `-n`; default: that of the context, else `default`. */
  readonly namespace?: string | undefined
}

export interface ClusterSessionOptions extends CommonOptions {
  readonly choice: ClusterChoice
  /** Aborts the opening. */
  readonly signal: AbortSignal
}

const REQUEST_TIMEOUT_MS = 30_000
/** A server answers to this name whatever its configuration. */
const ORIGIN = 'http://localhost'

/**
 * Opens a session with the API server of a namespace, over forwarded ports of its pods. Each connection goes to a pod that
 * is ready when it is opened, so a session outlives pods.
 *
 * @throws ServerUnreachable that says what is missing in the cluster, or which right
 * @throws Error that names the way out if the kubeconfig cannot be used
 */
export async function openClusterSession(options: ClusterSessionOptions): Promise<Session> {
  const { choice, form, env, signal, warn = ignore } = options
  const config = await openKubeconfig(choice, env)
  const userAgent = `slipway-cli/${readBuild().version} (${hostname()}-${process.pid})`
  const client = createClient(config, { userAgent, fieldManager: 'slipway-cli', requestTimeoutMs: REQUEST_TIMEOUT_MS })
  const namespace = choice.namespace ?? namespaceOf(config) ?? 'default'
  const place = { client, namespace, context: config.getCurrentContext(), cluster: currentCluster(config).server }
  try {
    const target = await findTarget(place, signal)
    const { token, hint } = await chooseToken(env, place, target, signal)
    const tunnel = openTunnel(config, userAgent, place, target)
    const server = formatServer(place)
    const wayOut = `See: kubectl -n ${namespace} logs ${target.pod.metadata.name}`
    const fetch = checkedFetch({ server, send: tunnel.fetch, warn, wayOut, tokenHint: hint })
    const close = async (): Promise<void> => void (await Promise.all([tunnel.close(), client.close()]))
    const socket = { url: ORIGIN, token, open: tunnel.open }
    return { server, form, isLocal: false, ...connect({ url: ORIGIN, token, fetch }), socket, close }
  } catch (error) {
    await client.close()
    throw error
  }
}

interface Tunnel extends FetchOver {
  readonly open: () => Promise<Duplex>
}

/** Connections to pods that are ready; the first one goes to `first`, which was so just now. */
function openTunnel(login: LoginSource, userAgent: string, place: Place, first: Target): Tunnel {
  const ending = new AbortController()
  let next: Target | undefined = first
  const open = async (): Promise<Duplex> => {
    const { pod, port } = next ?? (await findTarget(place, ending.signal))
    next = undefined
    const how = { pod: pod.metadata, port, userAgent, clock: systemClock, signal: ending.signal }
    return forwardPort(login, how).catch((error: unknown) => {
      throw explainForward(error, place, pod.metadata.name)
    })
  }
  const http = fetchOver(ORIGIN, open)
  return {
    open,
    fetch: async (url, init) =>
      http.fetch(url, init).catch((error: unknown) => {
        // fetch hides the errors of connections.
        throw error instanceof Error && error.cause instanceof ServerUnreachable ? error.cause : error
      }),
    async close() {
      ending.abort()
      await http.close()
    },
  }
}

async function chooseToken(
  env: CommonOptions['env'],
  place: Place,
  target: Target,
  signal: AbortSignal,
): Promise<FoundToken> {
  const given = givenToken(env)
  return given === undefined ? findToken(place, target, signal) : { token: given, hint: GIVEN_TOKEN_HINT }
}

/** Whatever it is but a missing right, the next pod may be reached. */
function explainForward(error: unknown, place: Place, pod: string): unknown {
  const what = `forward a port of pod ${pod} (get and create pods/portforward)`
  if (error instanceof KubeError) return explain(error, place, what)
  return new ServerUnreachable(`cannot ${what} in the cluster at ${place.cluster}: ${causeOf(error)}`, { cause: error })
}
