/** The Node object: what this node tells of itself. */
import { arch, cpus, platform, release, totalmem } from 'node:os'
import type { Node } from '../kube/builtin.ts'
import { NODES } from '../kube/resources.ts'
import { type KubeClient, isAlreadyExists } from '../kube/types.ts'
import { toTime } from './status.ts'

const HOSTNAME_LABEL = 'kubernetes.io/hostname'
const RUNTIME_LABEL = 'embedded.node/runtime'
/** Earlier versions kept a secret in it. */
const LOG_TOKEN_ANNOTATION = 'embedded.node/log-token'

export interface Registration {
  readonly name: string
  readonly runtime: 'bwrap' | 'process'
  /** The port on which the logs are served. */
  readonly logPort: number
}

/** Where the logs are served, for an API server of this machine. */
export const ADDRESS = '127.0.0.1'

const MAX_PODS = '110'

/** The Node as it should be; what others wrote into `existing` (labels, taints) stays. */
function toNode(registration: Registration, now: Date, existing: Node | undefined): Node {
  const { name, runtime, logPort } = registration
  const capacity = { cpu: String(cpus().length), memory: `${Math.floor(totalmem() / 1024)}Ki`, pods: MAX_PODS }
  return {
    ...existing,
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...existing?.metadata,
      name,
      labels: { ...existing?.metadata.labels, ...nodeLabels(registration) },
    },
    spec: { ...existing?.spec },
    status: {
      ...existing?.status,
      capacity,
      allocatable: capacity,
      // No Hostname: a kube-apiserver would ask there first, and nobody resolves a name that we made up.
      addresses: [{ type: 'InternalIP', address: ADDRESS }],
      daemonEndpoints: { kubeletEndpoint: { Port: logPort } },
      nodeInfo: nodeInfo(existing?.status?.nodeInfo, runtime),
      conditions: [readyCondition(now, existing)],
    },
  }
}

/** The labels that this node gives itself. */
export function nodeLabels({ name, runtime }: Pick<Registration, 'name' | 'runtime'>): Record<string, string> {
  return {
    [HOSTNAME_LABEL]: name,
    'kubernetes.io/os': platform(),
    'kubernetes.io/arch': arch() === 'x64' ? 'amd64' : arch(),
    [RUNTIME_LABEL]: runtime,
  }
}

function readyCondition(now: Date, existing: Node | undefined) {
  const before = existing?.status?.conditions?.find(({ type }) => type === 'Ready')
  const since = before?.status === 'True' ? before.lastTransitionTime : undefined
  return {
    type: 'Ready',
    status: 'True' as const,
    reason: 'NodeReady',
    message: 'the node runs pods as processes of this machine',
    lastHeartbeatTime: toTime(now),
    lastTransitionTime: since ?? toTime(now),
  }
}

/** Every field of NodeSystemInfo is required. */
function nodeInfo(existing: Readonly<Record<string, string>> | undefined, runtime: string): Record<string, string> {
  const unknown = { machineID: '', systemUUID: '', bootID: '', kubeProxyVersion: '', osImage: platform() }
  return {
    ...unknown,
    ...existing,
    kernelVersion: release(),
    containerRuntimeVersion: `${runtime}://1`,
    kubeletVersion: 'v1.34.0',
    operatingSystem: platform(),
    architecture: arch() === 'x64' ? 'amd64' : arch(),
  }
}

/**
 * Creates or renews the Node object and its status. By patches, because controllers write on a Node as well: a
 * compare-and-swap of the whole would lose against them again and again.
 */
export async function registerNode(client: KubeClient, registration: Registration, now: Date): Promise<void> {
  const key = { name: registration.name }
  const existing = await client.find(NODES, key)
  const { metadata, status } = toNode(registration, now, existing)
  if (existing === undefined) await client.create(NODES, toNode(registration, now, undefined)).catch(ignoreExisting)
  const { labels, annotations } = metadata
  const withoutToken = annotations?.[LOG_TOKEN_ANNOTATION] === undefined ? {} : { [LOG_TOKEN_ANNOTATION]: null }
  await client.mergePatch(NODES, key, { metadata: { labels, annotations: withoutToken } })
  await client.mergePatch(NODES, key, { status }, { subresource: 'status' })
}

function ignoreExisting(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error
  return undefined
}
