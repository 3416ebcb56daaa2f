/**
 * Leases held by name, changed only by compare-and-swap.
 *
 * For slots: such a Lease has no end in time. It is free when nobody holds it, and only its holder's own release frees
 * it, so that a clock, or a process that is slow, never lets two in. Leadership, which does end by time, is in
 * leader.ts.
 */
import type { ObjectMeta } from '../core/crd/types.ts'
import { toMicroTimestamp } from '../core/time.ts'
import type { Lease } from './builtin.ts'
import { LEASES } from './resources.ts'
import { type KubeClient, type ObjectKey, isAlreadyExists, isConflict } from './types.ts'

/** The verbs that leases need. */
export type LeaseClient = Pick<KubeClient, 'find' | 'create' | 'replace'>

/** Who has it now, and the Lease as it stands. */
export type LeaseOutcome =
  | { readonly kind: 'acquired'; readonly lease: Lease }
  | { readonly kind: 'heldBy'; readonly holder: string; readonly lease: Lease }

/** Who wants it, and what a Lease that is made on this occasion carries besides its name. */
export interface LeaseClaim {
  readonly holder: string
  readonly now: Date
  readonly labels?: ObjectMeta['labels']
}

/**
 * What a cache knows of a Lease; no Lease: that there is none. It takes the place of the first read where it leads to a
 * write, which the server refuses if the cache was behind. That nothing has to be written is never believed.
 */
export interface KnownLease {
  readonly lease: Lease | undefined
}

/** Lost races in a row after which the conflict is the caller's to requeue. */
const MAX_RACES = 5

/**
 * Takes the Lease unless another holds it. Idempotent: who holds it already has acquired it.
 *
 * Reads from the server, but for what is `known`, and writes with the resourceVersion read: of several that race one
 * wins.
 *
 * @throws KubeError Conflict when it keeps changing under us; whatever else the server refuses
 */
export async function acquireLease(
  client: LeaseClient,
  key: ObjectKey,
  claim: LeaseClaim,
  known?: KnownLease,
): Promise<LeaseOutcome> {
  const usable = known !== undefined && isFree(known.lease) ? known : undefined
  return retryRaces(async (races) => {
    const lease = await look(client, key, races, usable)
    const holder = lease && holderOf(lease)
    if (lease && holder === claim.holder) return { kind: 'acquired', lease }
    if (lease && holder !== undefined) return { kind: 'heldBy', holder, lease }
    const taken = lease ? await client.replace(LEASES, take(lease, claim)) : await createHeld(client, key, claim)
    return { kind: 'acquired', lease: taken }
  })
}

/**
 * Frees the Lease if `holder` has it, and gives the freed Lease; undefined when it was free, gone, or another's.
 *
 * @throws KubeError as {@link acquireLease}
 */
export async function releaseLease(
  client: LeaseClient,
  key: ObjectKey,
  holder: string,
  known?: KnownLease,
): Promise<Lease | undefined> {
  const usable = known?.lease !== undefined && holderOf(known.lease) === holder ? known : undefined
  return retryRaces(async (races) => {
    const lease = await look(client, key, races, usable)
    if (!lease || holderOf(lease) !== holder) return undefined
    return client.replace(LEASES, { ...lease, spec: { ...lease.spec, holderIdentity: '' } })
  })
}

/** Uses the known Lease for the first try only: a lost race says that it was out of date. */
async function look(
  client: LeaseClient,
  key: ObjectKey,
  races: number,
  known: KnownLease | undefined,
): Promise<Lease | undefined> {
  return races === 1 && known !== undefined ? known.lease : client.find(LEASES, key)
}

function isFree(lease: Lease | undefined): boolean {
  return lease === undefined || holderOf(lease) === undefined
}

/** Who holds it; undefined when it is free. */
export function holderOf(lease: Lease): string | undefined {
  const holder = lease.spec?.holderIdentity
  return holder === '' ? undefined : holder
}

function createHeld(client: LeaseClient, key: ObjectKey, claim: LeaseClaim): Promise<Lease> {
  const { labels, now, holder } = claim
  return client.create(LEASES, {
    metadata: {
      name: key.name,
      ...(key.namespace !== undefined && { namespace: key.namespace }),
      ...(labels && { labels }),
    },
    spec: { holderIdentity: holder, acquireTime: toMicroTimestamp(now), renewTime: toMicroTimestamp(now) },
  })
}

function take(lease: Lease, { holder, now }: LeaseClaim): Lease {
  const at = toMicroTimestamp(now)
  const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1
  return { ...lease, spec: { ...lease.spec, holderIdentity: holder, acquireTime: at, renewTime: at, leaseTransitions } }
}

/** Repeats what lost a race: another created or changed the Lease between our read and our write. */
async function retryRaces<R>(attempt: (races: number) => Promise<R>): Promise<R> {
  for (let races = 1; ; races++) {
    try {
      return await attempt(races)
    } catch (error) {
      if (races >= MAX_RACES || !(isAlreadyExists(error) || isConflict(error))) throw error
    }
  }
}
