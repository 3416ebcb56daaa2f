/**
 * Browsers that want notifications, all in one Secret: an endpoint is a capability, whoever knows it and the keys can
 * write to that browser. Every change is a compare-and-swap, so that several servers may change it at once. One object
 * bounds what can be stored (Kubernetes takes 1 MiB). Who sends follows it by a watch; who does not yet, reads it.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { apiError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import type { Secret } from '../../kube/builtin.ts'
import { type Informer, type InformerOptions, createInformer } from '../../kube/informer.ts'
import { SECRETS } from '../../kube/resources.ts'
import { type KubeClient, isAlreadyExists, isConflict } from '../../kube/types.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import { compileCheck } from '../../lib/validate.ts'

const Subscription = Type.Object({
  endpoint: Type.String(),
  /** Base64url. */
  p256dh: Type.String(),
  auth: Type.String(),
  /** When the browser subscribed first (RFC 3339): what happened before is not told to it. */
  createdAt: Type.String(),
  /** When the browser drops it (RFC 3339). */
  expiresAt: Type.Optional(Type.String()),
})

/** Where and how to reach one browser. */
export type Subscription = Static<typeof Subscription>

export interface Subscriptions {
  /** From memory while they are followed, else read. */
  list(): Promise<readonly Subscription[]>
  /** Keeps them in memory and in step with what any server changes, until `signal` aborts. Never rejects. */
  follow(signal: AbortSignal): Promise<void>
  /** Stores it, or replaces the one with the same endpoint, whose age it keeps. @throws ApiError `too_many_subscriptions` */
  put(subscription: Subscription): Promise<Subscription>
  /** Removes that endpoint, if it is there. */
  remove(endpoint: string): Promise<void>
  /** Removes the subscription unless the browser has renewed its keys since. */
  removeExactly(subscription: Subscription): Promise<void>
}

/** Name of the Secret. */
export const SUBSCRIPTIONS_SECRET = 'slipway-push-subscriptions'

/** With endpoints of up to 1,024 characters they stay well below the 1 MiB of a Secret. */
export const MAX_SUBSCRIPTIONS = 500

const MAX_RACES = 20

type Entries = ReadonlyMap<string, Subscription>

const check = compileCheck(Subscription)

export type SubscriptionsOptions = Pick<InformerOptions<Secret>, 'clock' | 'random' | 'logger' | 'outages'> & {
  readonly client: KubeClient
  readonly namespace: string
}

/** The subscriptions of one namespace. */
export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { client, namespace } = options
  let followed: Informer<Secret> | undefined
  const key = { namespace, name: SUBSCRIPTIONS_SECRET }
  const fresh: Secret = { metadata: { ...key, labels: { [LABELS.managedBy]: MANAGED_BY } }, type: 'Opaque' }

  const runExclusive = createKeyedMutex()
  /** `decide` gives the new entries, or undefined to leave them. One after another here: only other servers are raced. */
  const change = (decide: (entries: Entries) => Entries | undefined): Promise<void> =>
    runExclusive(SUBSCRIPTIONS_SECRET, () => swap(decide))
  const swap = async (decide: (entries: Entries) => Entries | undefined): Promise<void> => {
    for (let race = 0; race < MAX_RACES; race += 1) {
      const found = await client.find(SECRETS, key)
      const entries = decide(readEntries(found))
      if (entries === undefined) return
      const secret = { ...(found ?? fresh), data: writeEntries(entries) }
      try {
        const written = await (found === undefined ? client.create(SECRETS, secret) : client.replace(SECRETS, secret))
        followed?.observe(written)
        return
      } catch (error) {
        if (!isConflict(error) && !isAlreadyExists(error)) throw error
      }
    }
    throw apiError('write_contended', 'push', 'subscriptions')
  }
  const removeIf = (endpoint: string, isMeant: (found: Subscription) => boolean): Promise<void> =>
    change((entries) => {
      const id = idOf(endpoint)
      const found = entries.get(id)
      return found === undefined || !isMeant(found)
        ? undefined
        : new Map([...entries].filter(([other]) => other !== id))
    })

  return {
    async list() {
      const isInStep = followed?.hasSynced() === true && followed.lastError() === undefined
      const secret = isInStep ? followed?.get(key) : await client.find(SECRETS, key)
      return [...readEntries(secret).values()]
    },
    async follow(signal) {
      const isSelected = ({ metadata }: Secret): boolean => metadata.name === key.name
      const fieldSelector = `metadata.name=${key.name}`
      const informer = createInformer({ ...options, resource: SECRETS, fieldSelector, isSelected })
      followed = informer
      await informer.run(signal)
      followed = undefined
    },
    async put(subscription) {
      let stored = subscription
      await change((entries) => {
        const id = idOf(subscription.endpoint)
        const previous = entries.get(id)
        if (previous === undefined && entries.size >= MAX_SUBSCRIPTIONS)
          throw apiError('too_many_subscriptions', MAX_SUBSCRIPTIONS)
        stored = { ...subscription, createdAt: previous?.createdAt ?? subscription.createdAt }
        return new Map([...entries, [id, stored]])
      })
      return stored
    },
    remove: (endpoint) => removeIf(endpoint, () => true),
    removeExactly: (subscription) =>
      removeIf(
        subscription.endpoint,
        ({ auth, p256dh }) => auth === subscription.auth && p256dh === subscription.p256dh,
      ),
  }
}

/** Key of an endpoint in the Secret, and what logs may call it: the endpoint itself lets others write to the browser. */
export function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex').slice(0, 32)
}

function readEntries(secret: Secret | undefined): Entries {
  const entries = new Map<string, Subscription>()
  for (const [id, text] of Object.entries(secret?.data ?? {})) {
    // What somebody else put there is no subscription, and goes with the next write.
    const checked = check(parseJson(Buffer.from(text, 'base64').toString('utf8')))
    if (checked.ok) entries.set(id, checked.value)
  }
  return entries
}

function writeEntries(entries: Entries): Record<string, string> {
  const texts = [...entries].map(([id, entry]) => [id, Buffer.from(JSON.stringify(entry)).toString('base64')])
  return Object.fromEntries(texts)
}
