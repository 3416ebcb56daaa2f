/** The Lease whose renewal says that the node lives. */
import type { Lease } from '../kube/builtin.ts'
import { LEASES, NAMESPACES } from '../kube/resources.ts'
import { type KubeClient, isAlreadyExists, isConflict } from '../kube/types.ts'

export const LEASE_NAMESPACE = 'kube-node-lease'
/** As a kubelet has them: renewed every 10 s, dead after 40 s without. */
const LEASE_SECONDS = 40
export const RENEW_MS = 10_000

/** Renews the Lease; makes it, and its namespace, when absent. */
export async function renewLease(client: KubeClient, name: string, now: Date): Promise<void> {
  const existing = await client.find(LEASES, { namespace: LEASE_NAMESPACE, name })
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

function leaseSpec(holderIdentity: string, now: Date): NonNullable<Lease['spec']> {
  const renewTime = now.toISOString().replace(/Z$/, '000Z')
  return { holderIdentity, leaseDurationSeconds: LEASE_SECONDS, renewTime }
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
