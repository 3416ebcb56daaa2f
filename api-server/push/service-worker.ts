/**
 * What runs in the browser when a notification comes, served as it stands. It knows what core/notify.ts sends, and
 * decides nothing: an action button leads to the task's page, where the person does.
 *
 * A text and not a compiled module: it must be one script without imports, and the API server serves it without any
 * build of the UI.
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

const LABELS = { answer: 'Answer', accept: 'Accept', reject: 'Reject', resume: 'Resume', run: 'Run', cancel: 'Cancel' }
// Browsers show two buttons; these are what a person most likely wants.
const ORDER = ['answer', 'accept', 'reject', 'resume', 'run']

function show(message) {
  const actions = ORDER.filter((action) => (message.actions || []).includes(action)).slice(0, 2)
  return self.registration.showNotification(message.title || 'Slipway', {
    body: message.body || '',
    tag: message.tag,
    renotify: message.tag !== undefined,
    requireInteraction: message.urgency === 'urgent',
    silent: message.urgency === 'low',
    data: { url: message.url || '/' },
    actions: actions.map((action) => ({ action, title: LABELS[action] })),
  })
}

// The page that shows the task already is brought to the front; else a new one is opened, so that no other is disturbed.
async function open(link, action) {
  const url = new URL(link, self.location.origin)
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((each) => isSamePage(new URL(each.url), url))
  if (action) url.searchParams.set('action', action)
  if (!page) return self.clients.openWindow(url.href)
  await page.focus()
  if (action) page.postMessage({ type: 'notification-action', action, url: url.href })
}

function isSamePage(a, b) {
  return a.origin === b.origin && a.pathname === b.pathname
}
`
