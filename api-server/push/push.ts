/** Puts the parts of push notifications together. */
import { apiError } from '../../core/errors.ts'
import { toTestPayload } from '../../core/notify.ts'
import type { PushSubscribe } from '../../core/rest/requests/push.ts'
import { runAsLeader } from '../../kube/leader.ts'
import type { OutageLog } from '../../kube/outage.ts'
import type { KubeClient } from '../../kube/types.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import type { WayOut } from '../../lib/outbound.ts'
import type { Caches } from '../cache/caches.ts'
import { type PushOutcome, createDelivery } from './delivery.ts'
import { toSubscription } from './endpoint.ts'
import { createLedger } from './ledger.ts'
import { type Sender, defaultSubject, toPushRequest } from './message.ts'
import { runNotifier } from './notifier.ts'
import type { PushAnswer } from './retry.ts'
import { type Subscription, type Subscriptions, createSubscriptions } from './subscriptions.ts'
import { type PushTransport, createPushTransport } from './transport.ts'
import { type VapidHome, createVapidKeys } from './vapid.ts'

/** How this server notifies; everything has a default. */
export interface PushSettings {
  /** The key to use; none: that of `configFile`, else of the Secret, made when there is none. */
  readonly vapidPrivateKey?: string | undefined
  /** Absolute; the file that a new key is stored in. Absent: it is stored in a Secret of the namespace. */
  readonly configFile?: string | undefined
  /** `mailto:` or `https:`. */
  readonly vapidSubject?: string | undefined
  /** True: endpoints at private addresses and over plain http too. */
  readonly allowPrivate?: boolean
  /** Certificate authorities besides Node's own, as PEM. */
  readonly ca?: string | undefined
  /** True where no second server can exist: then no leader is elected. */
  readonly isOnlyServer?: boolean
  /** Told once for each notification and browser. */
  readonly onOutcome?: ((outcome: PushOutcome) => void) | undefined
}

export interface PushOptions extends Pick<WayOut, 'proxies'> {
  readonly settings: PushSettings
  readonly client: KubeClient
  readonly namespace: string
  readonly publicUrl?: string | undefined
  readonly caches: Pick<Caches, 'tasks' | 'surroundingsOf' | 'synced'>
  /** Unique per process. */
  readonly identity: string
  readonly clock: Clock
  readonly logger: Logger
  /** In [0, 1). */
  readonly random: () => number
  /** Shared with the caches, so that an outage is one matter in the log. */
  readonly outages: OutageLog
}

export interface Push {
  /** @throws Error when the key can be neither read nor stored */
  publicKey(): Promise<string>
  /** @throws ApiError `invalid_request`, `too_many_subscriptions` */
  subscribe(input: PushSubscribe): Promise<Subscription>
  unsubscribe(endpoint: string): Promise<void>
  /** Sends a notification to that browser at once, and says how its push service answered. @throws ApiError `not_found` */
  test(endpoint: string): Promise<PushTrial>
  /** Notifies, while this server leads, until `signal` aborts; then lets what is under way end. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

/** Lease of the one server that sends. */
const LEASE = 'slipway-push'

export function createPush(options: PushOptions): Push {
  const { settings, client, namespace, clock, logger, random, outages, publicUrl } = options
  const allowPrivate = settings.allowPrivate ?? false
  const subscriptions = createSubscriptions(options)
  const keys = createVapidKeys(vapidHome(options))
  const subject = settings.vapidSubject ?? defaultSubject(publicUrl)
  const transport = createPushTransport({ clock, allowPrivate, ca: settings.ca, proxies: options.proxies })
  const sender = async (): Promise<Sender> => ({ keys: await keys(), subject, publicUrl })
  const delivery = createDelivery({
    transport,
    subscriptions,
    sender,
    clock,
    logger,
    random,
    onOutcome: settings.onOutcome,
  })
  const ledger = createLedger(client, namespace)

  const notify = async (stop: AbortSignal): Promise<void> => {
    const { caches } = options
    await caches.synced
    const sources = { tasks: caches.tasks, surroundingsOf: caches.surroundingsOf }
    const work = async (lost: AbortSignal): Promise<void> => {
      const end = AbortSignal.any([stop, lost])
      const notifying = runNotifier({ ...sources, subscriptions, ledger, delivery, clock, logger }, end)
      await Promise.all([subscriptions.follow(end), notifying])
    }
    if (settings.isOnlyServer === true) return work(stop)
    const key = { namespace, name: LEASE }
    return runAsLeader({ client, key, identity: options.identity, clock, random, logger, outages }, stop, work)
  }
  return {
    publicKey: async () => (await keys()).publicKey,
    subscribe: (input) => subscriptions.put(toSubscription(input, { allowPrivate }, clock.now())),
    unsubscribe: (endpoint) => subscriptions.remove(endpoint),
    test: (endpoint) => sendTrial(endpoint, { transport, subscriptions, sender, clock }),
    async run(stop) {
      const making = keys().catch((error: unknown) => {
        logger.warn({ error }, 'no key for push notifications; the next request for it tries again')
      })
      await notify(stop)
      await making
      await delivery.stop()
    },
  }
}

function vapidHome({ settings, client, namespace, identity }: PushOptions): VapidHome {
  const { vapidPrivateKey, configFile } = settings
  if (vapidPrivateKey !== undefined) return { kind: 'given', privateKey: vapidPrivateKey }
  if (configFile !== undefined) return { kind: 'file', path: configFile, unique: identity }
  return { kind: 'secret', client, namespace }
}

/** How a test went. */
interface PushTrial {
  readonly delivered: boolean
  /** For people: what the push service said, and the way out where it did not take the message. */
  readonly message: string
}

interface TrialOptions {
  readonly transport: Pick<PushTransport, 'post'>
  readonly subscriptions: Pick<Subscriptions, 'list' | 'removeExactly'>
  readonly sender: () => Promise<Sender>
  readonly clock: Clock
}

/** Never aborted: the transport has a limit of its own, and whoever asked waits for the answer. */
const NEVER = new AbortController().signal

/**
 * Sends one notification to a browser that is subscribed, once, and tells what came of it. It reaches no other address:
 * what is not stored as a subscription is refused. A subscription that has ended is removed, as by every notification.
 *
 * @throws ApiError `not_found` where the endpoint is not subscribed
 */
async function sendTrial(endpoint: string, options: TrialOptions): Promise<PushTrial> {
  const { transport, subscriptions, clock } = options
  const subscription = (await subscriptions.list()).find((each) => each.endpoint === endpoint)
  if (subscription === undefined) throw apiError('not_found', 'push subscription')
  const sender = await options.sender()
  const content = { urgency: 'high', topic: 'slipway-test', payload: toTestPayload(sender.publicUrl) } as const
  const answer = await transport.post(await toPushRequest(content, subscription, sender, clock.now()), NEVER)
  if (isGone(answer)) await subscriptions.removeExactly(subscription)
  return describe(answer, new URL(endpoint).host)
}

function isGone(answer: PushAnswer): boolean {
  return answer.kind === 'status' && (answer.status === 404 || answer.status === 410)
}

/** @param host of the push service; the endpoint itself is the browser's secret */
function describe(answer: PushAnswer, host: string): PushTrial {
  if (answer.kind === 'forbidden')
    return failed(`${host} is at a private address; pushPrivateEndpoints allows it for a push service of your own`)
  if (answer.kind === 'unreachable')
    return failed(
      `this server could not reach the push service ${host}; it needs access to the internet, directly or by HTTPS_PROXY`,
    )
  const { status } = answer
  if (status >= 200 && status < 300) return { delivered: true, message: `${host} took the notification` }
  if (isGone(answer)) return failed(`${host} no longer knows this browser: switch notifications on again`)
  if (status === 401 || status === 403)
    return failed(`${host} refused this server (${status}): set vapidSubject to your address, or subscribe again`)
  return failed(`${host} answered ${status}; try again later`)
}

function failed(message: string): PushTrial {
  return { delivered: false, message }
}
