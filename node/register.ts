/** The Node object, and the Lease whose renewal says that the node lives. */
import { arch, cpus, platform, release, totalmem } from 'node:os'
import type { Lease, Node } from '../kube/builtin.ts'
import { LEASES, NAMESPACES, NODES } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import { isAlreadyExists, isConflict } from '../kube/types.ts'
import { toTime } from './status.ts'

export const LEASE_NAMESPACE = 'kube-node-lease'
/** As a kubelet has them: renewed every 10 s, dead after 40 s without. */
export const LEASE_SECONDS = 40
export const RENEW_MS = 10_000
/** Where `pods/<name>/log` finds the logs, and what it must show to get them. */
export const LOG_TOKEN_ANNOTATION = 'embedded.node/log-token'
export const RUNTIME_LABEL = 'embedded.node/runtime'

export interface Registration {
  readonly name: string
  readonly runtime: 'bwrap' | 'process'
  readonly logPort: number
  readonly logToken: string
}

const MAX_PODS = '110'

/** The Node as it should be; what others wrote into `existing` (labels, taints) stays. */
export function toNode(registration: Registration, now: Date, existing: Node | undefined): Node {
  const { name, runtime, logPort, logToken } = registration
  const capacity = { cpu: String(cpus().length), memory: `${Math.floor(totalmem() / 1024)}Ki`, pods: MAX_PODS }
  return {
    ...existing,
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...existing?.metadata,
      name,
      labels: {
        ...existing?.metadata.labels,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': platform(),
        'kubernetes.io/arch': arch() === 'x64' ? 'amd64' : arch(),
        [RUNTIME_LABEL]: runtime,
      },
      annotations: { ...existing?.metadata.annotations, [LOG_TOKEN_ANNOTATION]: logToken },
    },
    status: {
      ...existing?.status,
      capacity,
      allocatable: capacity,
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: logPort } },
      nodeInfo: nodeInfo(existing?.status?.nodeInfo, runtime),
      conditions: [readyCondition(now, existing)],
    },
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
  await client.mergePatch(NODES, key, { metadata: { labels, annotations } })
  await client.mergePatch(NODES, key, { status }, { subresource: 'status' })
}

/** Renews the Lease; makes it, and its namespace, when absent. */
export async function renewLease(client: KubeClient, name: string, now: Date): Promise<void> {
  const key = { namespace: LEASE_NAMESPACE, name }
  const existing = await client.find(LEASES, key)
  if (existing === undefined) await makeLease(client, name, now)
  else await client.replace(LEASES, { ...existing, spec: leaseSpec(name, now) }).catch(ignoreConflict)
}

async function makeLease(client: KubeClient, name: string, now: Date): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: LEASE_NAMESPACE } }
  if ((await client.find(NAMESPACES, { name: LEASE_NAMESPACE })) === undefined) {
    await client.create(NAMESPACES, namespace).catch(ignoreExisting)
  }
  const metadata = { namespace: LEASE_NAMESPACE, name }
  const lease: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: leaseSpec(name, now) }
  await client.create(LEASES, lease).catch(ignoreExisting)
}

function leaseSpec(name: string, now: Date): NonNullable<Lease['spec']> {
  const renewTime = now.toISOString().replace(/Z$/, '000Z')
  return { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime }
}

function ignoreExisting(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error
  return undefined
}

/** Somebody else touched it in the meantime; the next renewal is ten seconds away. */
function ignoreConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error
  return undefined
}
