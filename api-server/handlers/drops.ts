import { LATEST_CHANGE_FIRST } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import { represent } from '../records/representation.ts'
import type { DropFolder } from '../drops/folder.ts'
import type { Handlers } from './handler.ts'

/** The drop directory. */
export function dropHandlers({ drops }: { readonly drops: DropFolder }) {
  return {
    async listDrops({ query }) {
      const page = paginate(await drops.list(), query, LATEST_CHANGE_FIRST)
      return { status: 200, body: represent([...page.items]), headers: page.headers('/api/drops') }
    },
    getDrop: async ({ params }) => ({ status: 200, body: await drops.open(params.filename) }),
    uploadDrops: async ({ body }) => ({
      status: 201,
      body: represent(await drops.receive(body)),
      headers: { Location: '/api/drops' },
    }),
  } satisfies Partial<Handlers>
}
