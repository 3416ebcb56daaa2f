import type { ApiClient } from '../../core/rest/client/client.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { noteServerTime } from './server-clock.ts'

/** The REST API of the server that this page came from; the session's cookie goes along by itself. */
export const api: ApiClient = connectApi({
  url: location.origin,
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    noteServerTime(response.headers.get('Date'), Date.now())
    return response
  },
})
