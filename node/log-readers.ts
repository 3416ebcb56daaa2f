/**
 * Who may read the logs of a node. A kube-apiserver asks for them in the name of whoever asked it, and shows a client
 * certificate; a kubelet knows its authority from the cluster and lets the cluster say what its bearer may. So does
 * this.
 *
 * Source: Kubernetes documentation, "Kubelet authentication/authorization".
 */
import { TLSSocket } from 'node:tls'
import type { IncomingMessage } from 'node:http'
import { ACCESS_REVIEWS, CONFIG_MAPS } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Logger } from '../lib/log.ts'

export interface LogReaders {
  /** Authorities of client certificates, in PEM. */
  readonly authority: string
  /** Whether the bearer of such a certificate may; absent: each of them. */
  readonly isAllowed?: (user: string, groups: readonly string[]) => Promise<boolean>
}

const AUTHENTICATION = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }

/**
 * The readers that a cluster knows: those whose certificate its API server takes, and who may use the node's API
 * (`nodes/proxy`). Undefined, with a line in the log, where the cluster does not tell.
 */
export async function readersOfCluster(
  client: KubeClient,
  node: string,
  logger: Logger,
): Promise<LogReaders | undefined> {
  try {
    const authority = (await client.get(CONFIG_MAPS, AUTHENTICATION)).data?.['client-ca-file']
    if (authority !== undefined)
      return { authority, isAllowed: (user, groups) => mayUseNode(client, node, user, groups) }
    logger.warn('the cluster has no authority for client certificates, so kubectl logs does not work on this node')
  } catch (error) {
    logger.warn({ error }, 'who may read logs of this node cannot be told, so kubectl logs does not work on it')
  }
  return undefined
}

async function mayUseNode(client: KubeClient, node: string, user: string, groups: readonly string[]): Promise<boolean> {
  const resourceAttributes = { verb: 'get', version: 'v1', resource: 'nodes', subresource: 'proxy', name: node }
  const spec = { user, groups: [...groups, 'system:authenticated'], resourceAttributes }
  const { status } = await client.create(ACCESS_REVIEWS, { metadata: { name: '' }, spec })
  return status?.allowed === true
}

/** The HTTP status that refuses a request for a log; undefined when it is allowed. */
export async function refusalOf(
  { socket }: IncomingMessage,
  readers: LogReaders | undefined,
): Promise<401 | 403 | undefined> {
  if (readers === undefined || !(socket instanceof TLSSocket) || !socket.authorized) return 401
  const { CN: user, O: organizations } = toSubject(socket.getPeerCertificate().subject)
  if (typeof user !== 'string') return 401
  const groups = [organizations].flat().filter((group) => typeof group === 'string')
  return readers.isAllowed === undefined || (await readers.isAllowed(user, groups)) ? undefined : 403
}

/** Node's types say that each part of a name is there, and there once. */
function toSubject(subject: object): { readonly CN?: unknown; readonly O?: unknown } {
  return subject
}
