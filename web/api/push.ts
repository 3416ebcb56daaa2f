/** Push notifications of this browser: what stands in their way, switching them on and off, and a test of them. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type PushFacts, subscribeProblem, toBase64Url } from '../model/push-status.ts'
import { api } from './client.ts'
import { queryClient } from './queries.ts'

const WORKER = '/api/push/sw.js'
const SCOPE = '/'

const pushOptions = queryOptions({ queryKey: ['push'], queryFn: readFacts, retry: false })

/** What this browser says; read again after each change, and when a person comes back from its settings. */
export function usePush() {
  return useQuery({ ...pushOptions, refetchOnWindowFocus: true, staleTime: 0 })
}

async function readFacts(): Promise<PushFacts> {
  const isSecure = window.isSecureContext
  const hasPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSecure || !hasPush) return { isSecure, hasPush, permission: 'default', subscription: 'none' }
  const found = await findSubscription()
  return {
    isSecure,
    hasPush,
    permission: Notification.permission,
    subscription: found === undefined ? 'none' : (await isOfKey(found)) ? 'current' : 'stale',
  }
}

async function findSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

async function isOfKey({ options }: PushSubscription): Promise<boolean> {
  const key = options.applicationServerKey
  const { public_key } = await api.getVapidKey()
  return key !== null && toBase64Url(new Uint8Array(key)) === public_key
}

/**
 * Subscribes this browser.
 *
 * @param permission asked for in the person's gesture itself, as Safari demands
 * @throws Error in words for people
 */
export async function subscribePush(permission: Promise<NotificationPermission>): Promise<string> {
  try {
    if ((await permission) !== 'granted') throw new Error('Without your permission the browser shows no notifications.')
    const { public_key } = await api.getVapidKey()
    const subscription = await subscribeBrowser(public_key)
    const { endpoint, expirationTime = null, keys = {} } = subscription.toJSON()
    const { p256dh = '', auth = '' } = keys
    await api.subscribePush({ body: { endpoint: endpoint ?? '', expirationTime, keys: { p256dh, auth } } })
    return 'This browser notifies you from now on.'
  } finally {
    await queryClient.invalidateQueries(pushOptions)
  }
}

async function subscribeBrowser(key: string): Promise<PushSubscription> {
  try {
    const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
    await navigator.serviceWorker.ready
    const old = await registration.pushManager.getSubscription()
    // A browser refuses another key while it is subscribed with an earlier one.
    if (old !== null && !(await isOfKey(old))) await old.unsubscribe()
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch (error) {
    if (error instanceof DOMException) throw new Error(subscribeProblem(error), { cause: error })
    throw error
  }
}

/** Ends the subscription: in the browser first, so that it is quiet even if the server cannot be reached. */
export async function unsubscribePush(): Promise<string> {
  try {
    const subscription = await findSubscription()
    await subscription?.unsubscribe()
    if (subscription !== undefined) await api.unsubscribePush({ body: { endpoint: subscription.endpoint } })
    return 'This browser does not notify you any more.'
  } finally {
    await queryClient.invalidateQueries(pushOptions)
  }
}

/** Sends a notification to this browser through its push service. @throws Error that says why it did not get there */
export async function testPush(): Promise<string> {
  const subscription = await findSubscription()
  if (subscription === undefined) throw new Error('This browser is not subscribed.')
  const { delivered, message } = await api.testPush({ body: { endpoint: subscription.endpoint } })
  if (!delivered) throw new Error(`No notification comes: ${message}.`)
  return `${message}. It should appear in a moment; if not, look at the notifications of your system.`
}
