/** What the service worker tells an open page: pure. The worker is api-server/push/service-worker.ts. */
import { asRecord } from '../../core/json.ts'

/** The same path with what is open in the panel, where the page that is at `here` stays: what is written there stays too. */
export function withOpenPanel(path: string, here: { readonly pathname: string; readonly search: string }): string {
  const [pathname = '', search = ''] = path.split('?', 2)
  if (pathname !== here.pathname) return path
  const [next, now] = [new URLSearchParams(search), new URLSearchParams(here.search)]
  for (const name of ['open', 'openTab']) {
    const value = now.get(name)
    if (value !== null) next.set(name, value)
  }
  return next.size === 0 ? pathname : `${pathname}?${next.toString()}`
}

/** Where a click on a notification leads in this page; undefined for a message that is none, or leads elsewhere. */
export function notificationPath(data: unknown, origin: string): string | undefined {
  const { type, url } = asRecord(data)
  if (type !== 'notification-action' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const link = new URL(url)
  return link.origin === origin ? `${link.pathname}${link.search}` : undefined
}
