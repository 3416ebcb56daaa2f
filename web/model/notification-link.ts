/** What the service worker tells an open page: pure. The worker is api-server/push/service-worker.ts. */
import { asRecord } from '../../core/json.ts'

/** Where a click on a notification leads in this page; undefined for a message that is none, or leads elsewhere. */
export function notificationPath(data: unknown, origin: string): string | undefined {
  const { type, url } = asRecord(data)
  if (type !== 'notification-action' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const link = new URL(url)
  return link.origin === origin ? `${link.pathname}${link.search}` : undefined
}
