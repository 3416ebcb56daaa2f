import { SERVICE_WORKER } from '../push/service-worker.ts'
import { represent } from '../records/representation.ts'
import type { Push } from '../push/push.ts'
import type { Handlers } from './handler.ts'

const SERVICE_WORKER_HEADERS = {
  // The script lies below /api/push/, and may control pages elsewhere only if we say so (Service Workers, section 6.1).
  'Service-Worker-Allowed': '/',
  // Browsers look for a new version themselves; a proxy must not keep them on an old one.
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
}

/** Browsers that want to be notified. */
export function pushHandlers({ push }: { readonly push: Push }) {
  return {
    getVapidKey: async () => ({ status: 200, body: represent({ public_key: await push.publicKey() }) }),
    async subscribePush({ body }) {
      const { endpoint, createdAt } = await push.subscribe(body)
      return { status: 201, body: represent({ endpoint, created_at: createdAt }) }
    },
    async unsubscribePush({ body }) {
      await push.unsubscribe(body.endpoint)
      return { status: 204, body: undefined }
    },
    testPush: async ({ body }) => ({ status: 200, body: represent(await push.test(body.endpoint)) }),
    getServiceWorker: async () => ({ status: 200, body: SERVICE_WORKER, headers: SERVICE_WORKER_HEADERS }),
  } satisfies Partial<Handlers>
}
