import { apiError } from '../../core/errors.ts'
import { toTestPayload } from '../../core/notify.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Sender } from './message.ts'
import { toPushRequest } from './message.ts'
import type { PushAnswer } from './retry.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { PushTransport } from './transport.ts'

/** How a test went. */
export interface PushTrial {
  readonly delivered: boolean
  /** For people: what the push service said, and the way out where it did not take the message. */
  readonly message: string
}

export interface TrialOptions {
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
export async function sendTrial(endpoint: string, options: TrialOptions): Promise<PushTrial> {
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
    return failed(`this server could not reach the push service ${host}; it needs direct access to the internet`)
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
