/**
 * Brings notifications to browsers: for each endpoint one after another, for all endpoints side by side, a bounded
 * number at a time. So an endpoint that hangs, or asks to come again later, holds up nobody else.
 *
 * Messages still to be sent are kept in memory only (see ledger.ts for what that means). Of one endpoint's waiting
 * messages a newer one takes the place of an older one of the same task, as push services do it themselves.
 */
import { setMaxListeners } from 'node:events'
import { type Notification, toPushPayload } from '../../core/notify.ts'
import { createSemaphore } from '../../lib/async.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import { type Sender, toPushRequest } from './message.ts'
import { type PushAnswer, interpretAnswer } from './retry.ts'
import { type Subscription, type Subscriptions, idOf } from './subscriptions.ts'
import type { PushTransport } from './transport.ts'

/**
 * What became of a notification for one browser. `gone`: the subscription has ended and is removed; `refused`: the
 * service will not take this message; `gaveUp`: it could not for too long; `dropped`: overtaken by a newer one, the
 * line was too long, or the server stopped.
 */
const PUSH_OUTCOMES = ['sent', 'gone', 'refused', 'gaveUp', 'dropped'] as const
export type PushOutcome = (typeof PUSH_OUTCOMES)[number]

export interface DeliveryOptions {
  readonly transport: PushTransport
  readonly subscriptions: Pick<Subscriptions, 'removeExactly'>
  readonly sender: () => Promise<Sender>
  readonly clock: Clock
  readonly logger: Logger
  /** In [0, 1). */
  readonly random: () => number
  readonly onOutcome?: ((outcome: PushOutcome) => void) | undefined
}

export interface Delivery {
  /** Takes it over; never waits, never throws. */
  send(notification: Notification, subscription: Subscription): void
  /** Lets first tries under way end, for a few seconds; gives up what would have to wait. */
  stop(): Promise<void>
}

interface Message {
  readonly notification: Notification
  readonly subscription: Subscription
}

/** Requests under way at a time. */
const MAX_PARALLEL = 32
/** Messages that wait for one endpoint. */
const MAX_WAITING = 100
/** How long a stop waits for requests under way. */
const STOP_TIMEOUT_MS = 5000

export function createDelivery(options: DeliveryOptions): Delivery {
  const { clock, logger } = options
  const lanes = new Map<string, Message[]>()
  const running = new Set<Promise<void>>()
  const semaphore = createSemaphore(MAX_PARALLEL)
  /** Nothing waits any more. */
  const stopping = new AbortController()
  /** Nothing is under way any more. */
  const cutting = new AbortController()
  // One for each endpoint; Node warns from the eleventh on, unless told that it is meant.
  setMaxListeners(0, stopping.signal, cutting.signal)

  const count = (outcome: PushOutcome): void => options.onOutcome?.(outcome)

  const post = async ({ notification, subscription }: Message): Promise<PushAnswer> => {
    const release = await semaphore()
    try {
      const sender = await options.sender()
      const { urgency, topic } = notification
      const content = { urgency, topic, payload: toPushPayload(notification, sender.publicUrl) }
      const request = await toPushRequest(content, subscription, sender, clock.now())
      return await options.transport.post(request, cutting.signal)
    } finally {
      release()
    }
  }
  /** Tries until there is an outcome; `waiting` are the messages behind this one. */
  const deliver = async (message: Message, waiting: readonly Message[]): Promise<PushOutcome> => {
    const firstTriedAt = clock.now()
    for (let attempts = 1; ; attempts += 1) {
      const answer = await post(message)
      const outcome = interpretAnswer(answer, { attempts, firstTriedAt, now: clock.now(), random: options.random() })
      logAnswer(logger, message, answer, outcome.kind)
      if (outcome.kind !== 'retry') return outcome.kind
      await delay(clock, outcome.afterMs, stopping.signal)
      if (stopping.signal.aborted || waiting.some((other) => isSameTask(other, message))) return 'dropped'
    }
  }
  const runLane = async (id: string, lane: Message[]): Promise<void> => {
    for (let message = lane.shift(); message !== undefined; message = lane.shift()) {
      try {
        const outcome = await deliver(message, lane)
        count(outcome)
        if (outcome !== 'gone') continue
        lane.splice(0).forEach(() => count('gone'))
        await options.subscriptions.removeExactly(message.subscription)
      } catch (error) {
        logger.error({ error, subscription: id }, 'push notification failed')
      }
    }
    lanes.delete(id)
  }
  const enqueue = (id: string, message: Message): void => {
    const lane = lanes.get(id)
    if (lane === undefined) {
      const started: Message[] = [message]
      lanes.set(id, started)
      const run: Promise<void> = runLane(id, started).finally(() => running.delete(run))
      running.add(run)
      return
    }
    const kept = lane.filter((other) => !isSameTask(other, message)).slice(-(MAX_WAITING - 1))
    for (let left = lane.length - kept.length; left > 0; left -= 1) count('dropped')
    lane.splice(0, lane.length, ...kept, message)
  }

  return {
    send(notification, subscription) {
      if (stopping.signal.aborted) count('dropped')
      else enqueue(idOf(subscription.endpoint), { notification, subscription })
    },
    async stop() {
      stopping.abort()
      const cancel = clock.schedule(STOP_TIMEOUT_MS, () => cutting.abort())
      await Promise.all(running)
      cancel()
      options.transport.close()
    },
  }
}

function isSameTask(a: Message, b: Message): boolean {
  return a.notification.topic === b.notification.topic
}

/** The endpoint is a secret: its host says which push service it is, a digest which subscription. */
function logAnswer(logger: Logger, { notification, subscription }: Message, answer: PushAnswer, outcome: string): void {
  const { host } = new URL(subscription.endpoint)
  const line = { service: host, subscription: idOf(subscription.endpoint), task: notification.taskId, answer, outcome }
  if (outcome === 'refused' || outcome === 'gaveUp') logger.warn(line, 'push notification not delivered')
  else logger.debug(line, 'push notification tried')
}
