/**
 * What runs in the browser when a notification comes, served as it stands. It knows what core/notify.ts sends, and
 * decides nothing: an action button leads to the task's page, where the person sees the evidence and decides.
 *
 * A text and not a compiled module: it must be one script without imports, and the API server serves it without any
 * build of the UI. It handles no fetch: the UI must not depend on it.
 */
export const SERVICE_WORKER = `'use strict'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data ? event.data.json() : {}))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url, event.action))
})

// The push service may end a subscription and give another one: without this the browser would fall silent.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription))
})

// What a person most likely wants to do. Browsers show two buttons: the first two that the task allows. A click beside them
// opens the task too.
const DECISIONS = [['answer', 'Answer'], ['accept', 'Accept'], ['resume', 'Resume'], ['revise', 'Ask for changes']]
const OPEN = 'open'

function show(message) {
  const allowed = message.actions || []
  const buttons = DECISIONS.filter(([action]) => allowed.includes(action)).concat([[OPEN, 'Open']]).slice(0, 2)
  return self.registration.showNotification(message.title || 'Slipway', {
    body: message.body || '',
    tag: message.tag,
    renotify: message.tag !== undefined,
    requireInteraction: message.urgency === 'urgent',
    silent: message.urgency === 'low',
    data: { url: message.url || '/' },
    actions: buttons.map(([action, title]) => ({ action, title })),
  })
}

// A page of the UI goes there by itself, without a reload, and is brought to the front; if none does, a new one is opened.
async function open(link, action) {
  const url = new URL(link, self.location.origin)
  if (action && action !== OPEN) url.searchParams.set('action', action)
  const message = { type: 'notification-action', action: action || OPEN, url: url.href }
  for (const page of await findPages(url)) if (await takes(page, message)) return page.focus()
  return self.clients.openWindow(url.href)
}

// That of the task first, then the one that was used last.
async function findPages(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const own = pages.map((page) => [page, new URL(page.url)]).filter(([, at]) => at.origin === url.origin)
  const isSame = ([, at]) => at.pathname === url.pathname
  return [...own.filter(isSame), ...own.filter((each) => !isSame(each))].map(([page]) => page)
}

// A page says whether it has gone there: one in which something is being written stays. Others, such as those of the
// API, say nothing.
const ANSWER_MS = 500

function takes(page, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(() => resolve(false), ANSWER_MS)
    page.postMessage(message, [port2])
  })
}

async function renew(old, given) {
  const options = old && { userVisibleOnly: true, applicationServerKey: old.options.applicationServerKey }
  const subscription = given || (options && (await self.registration.pushManager.subscribe(options)))
  if (!subscription) return
  await fetch('/api/push/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(subscription),
  })
}
`
