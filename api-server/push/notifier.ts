/**
 * Changes of tasks → notifications for the browsers that are subscribed.
 *
 * What changes while this runs is news. What is found at the start may have been told by another server before: it is
 * told when it is less than a day old, and only to browsers that had subscribed by then. The ledger decides in both
 * cases that nothing is told twice. Changes that come close together share one write to it.
 */
import type { Task } from '../../core/crd/types.ts'
import { type Notification, findNotification } from '../../core/notify.ts'
import type { TaskSurroundings } from '../../core/task/decide.ts'
import { parseTimestamp } from '../../core/time.ts'
import { backoffCeiling } from '../../kube/backoff.ts'
import type { Change } from '../../kube/cache.ts'
import { createAutoResetEvent } from '../../lib/async.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import type { Delivery } from './delivery.ts'
import { type Ledger, MAX_AGE_MS } from './ledger.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

export interface NotifierOptions {
  readonly tasks: Pick<RecordCache<Task>, 'informer' | 'find'>
  readonly surroundingsOf: (task: Task) => TaskSurroundings
  readonly subscriptions: Pick<Subscriptions, 'list'>
  readonly ledger: Ledger
  readonly delivery: Pick<Delivery, 'send'>
  readonly clock: Clock
  readonly logger: Logger
}

interface Pending {
  readonly notification: Notification
  /** Set: found, not seen to happen; when it came about. */
  readonly since?: Date | undefined
}

/** Time for more changes to come before the next write. */
const COALESCE_MS = 200
/** Nothing happens then but another look at an empty list. */
const IDLE_MS = 60_000
const BACKOFF = { baseMs: 1000, maxMs: 30_000 }

/** Notifies until `signal` aborts; the cache of tasks must have synced. Never rejects. */
export async function runNotifier(options: NotifierOptions, signal: AbortSignal): Promise<void> {
  const { clock, logger, tasks } = options
  const pending = new Map<string, Pending>()
  const changed = createAutoResetEvent(clock)
  signal.addEventListener('abort', changed.close)
  const forget = tasks.informer.onChange((change) => {
    const found = toPending(options, change)
    if (found === undefined) return
    pending.set(found.notification.key, found)
    changed.set()
  })
  let failures = 0
  while (!signal.aborted) {
    try {
      await sendPending(options, pending)
      failures = 0
    } catch (error) {
      failures += 1
      logger.warn({ error }, 'notifications are held up, trying again')
    }
    await delay(clock, failures === 0 ? COALESCE_MS : backoffCeiling(BACKOFF, failures), signal)
    if (pending.size === 0) await changed.wait(IDLE_MS)
  }
  forget()
}

function toPending({ clock, surroundingsOf }: NotifierOptions, change: Change<Task>): Pending | undefined {
  if (change.type === 'delete') return undefined
  const surroundings = surroundingsOf(change.object)
  if (change.type === 'update') {
    const notification = findNotification(change.previous, change.object, surroundings)
    return notification && { notification }
  }
  const notification = findNotification(undefined, change.object, surroundings)
  if (notification?.at === undefined) return undefined
  const since = parseTimestamp(notification.at)
  return clock.now().getTime() - since.getTime() < MAX_AGE_MS ? { notification, since } : undefined
}

/** Sends what is pending, and takes it off only when that is done. */
async function sendPending(options: NotifierOptions, pending: Map<string, Pending>): Promise<void> {
  if (pending.size === 0) return
  const batch = [...pending.values()]
  const current = batch.filter(({ notification }) => isCurrent(options, notification))
  const subscriptions = current.length === 0 ? [] : await options.subscriptions.list()
  const now = options.clock.now()
  const addressed = current
    .map((item) => ({ item, to: subscriptions.filter((subscription) => isMeant(subscription, item, now)) }))
    .filter(({ to }) => to.length > 0)
  const claims = addressed.map(({ item: { notification, since } }) => ({ key: notification.key, since }))
  const won = claims.length === 0 ? new Set<string>() : await options.ledger.claim(claims, now)
  for (const { item, to } of addressed) {
    if (won.has(item.notification.key)) for (const each of to) options.delivery.send(item.notification, each)
  }
  for (const { notification } of batch) pending.delete(notification.key)
}

/** A question that was answered while we could not send it is no longer news. */
function isCurrent({ tasks }: NotifierOptions, { taskId, key }: Notification): boolean {
  const task = tasks.find(taskId)
  return task !== undefined && findNotification(undefined, task)?.key === key
}

function isMeant({ createdAt, expiresAt }: Subscription, { since }: Pending, now: Date): boolean {
  if (expiresAt !== undefined && parseTimestamp(expiresAt) <= now) return false
  return since === undefined || parseTimestamp(createdAt) <= since
}
