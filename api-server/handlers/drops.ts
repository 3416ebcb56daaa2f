import type { ApiContext } from '../context.ts'
import { represent } from '../representation.ts'
import type { Handlers } from './handler.ts'

/** The drop directory. */
export function dropHandlers({ drops }: ApiContext): Pick<Handlers, 'listDrops' | 'getDrop' | 'uploadDrops'> {
  return {
    listDrops: async () => ({ status: 200, body: represent(await drops.list()) }),
    getDrop: async ({ params }) => ({ status: 200, body: await drops.open(params.filename) }),
    uploadDrops: async ({ body }) => ({
      status: 201,
      body: represent(await drops.receive(body)),
      headers: { Location: '/api/drops' },
    }),
  }
}
