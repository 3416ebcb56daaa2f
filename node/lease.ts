/**
 * The Lease whose renewal says that the node lives, and who it is: two processes that ran one node would end each
 * other's executions, so the second one is refused. They come about by a data folder that is copied, shared by several
 * machines, or used twice on one.
 */
import { hostname } from 'node:os'
import type { Lease } from '../kube/builtin.ts'
import { LEASES, NAMESPACES } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import { isAlreadyExists, isConflict } from '../kube/types.ts'
import { findStartTime, signalProcess } from '../lib/process.ts'

export const LEASE_NAMESPACE = 'kube-node-lease'
/** As a kubelet has them: renewed every 10 s, dead after 40 s without. */
export const LEASE_SECONDS = 40
export const RENEW_MS = 10_000

const UNKNOWN = '-'

/** This process, as no other is called, here or on another machine: host, pid and start time. */
export async function holderIdentity(): Promise<string> {
  return `${hostname()}_${process.pid}_${(await findStartTime(process.pid)) ?? UNKNOWN}`
}

/**
 * Refuses to run a node that somebody else runs.
 *
 * @throws Error when its Lease was renewed of late by a process that may still live
 */
export async function checkUnheld(client: KubeClient, name: string, now: Date): Promise<void> {
  const holder = await findHolder(client, name, now)
  if (holder === undefined) return
  throw new Error(
    `node ${name} is run by another process (${holder}): give each a data folder of its own, not one that is shared or copied`,
  )
}

/** Who renewed the Lease of a node of late and may still live; not this process itself. */
export async function findHolder(client: KubeClient, name: string, now: Date): Promise<string | undefined> {
  const lease = await client.find(LEASES, { namespace: LEASE_NAMESPACE, name })
  const { holderIdentity: holder = 'unknown', renewTime } = lease?.spec ?? {}
  if (renewTime === undefined || isOver(lease, now) || !(await mayLive(holder))) return undefined
  return `${holder}, last seen ${renewTime}`
}

function isOver(lease: Lease | undefined, now: Date): boolean {
  const { renewTime = '', leaseDurationSeconds = LEASE_SECONDS } = lease?.spec ?? {}
  return now.getTime() > Date.parse(renewTime) + leaseDurationSeconds * 1000
}

/** Only of a process of this machine is it known whether it lives. */
async function mayLive(holder: string): Promise<boolean> {
  const [, host, pid, startTime] = /^(.*)_(\d+)_([^_]*)$/.exec(holder) ?? []
  if (host !== hostname()) return true
  if (Number(pid) === process.pid) return false
  const running = await findStartTime(Number(pid))
  // Without /proc no start time is known: then the pid has to do.
  return running === undefined ? startTime === UNKNOWN && signalProcess(Number(pid), 0) : running === startTime
}

/** Renews the Lease; makes it, and its namespace, when absent. */
export async function renewLease(client: KubeClient, name: string, holder: string, now: Date): Promise<void> {
  const existing = await client.find(LEASES, { namespace: LEASE_NAMESPACE, name })
  if (existing === undefined) await makeLease(client, name, holder, now)
  else await client.replace(LEASES, { ...existing, spec: leaseSpec(holder, now) }).catch(ignoreConflict)
}

async function makeLease(client: KubeClient, name: string, holder: string, now: Date): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: LEASE_NAMESPACE } }
  if ((await client.find(NAMESPACES, { name: LEASE_NAMESPACE })) === undefined) {
    await client.create(NAMESPACES, namespace).catch(ignoreExisting)
  }
  const metadata = { namespace: LEASE_NAMESPACE, name }
  const lease: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: leaseSpec(holder, now) }
  await client.create(LEASES, lease).catch(ignoreExisting)
}

function leaseSpec(holder: string, now: Date): NonNullable<Lease['spec']> {
  const renewTime = now.toISOString().replace(/Z$/, '000Z')
  return { holderIdentity: holder, leaseDurationSeconds: LEASE_SECONDS, renewTime }
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
