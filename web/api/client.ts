import { ApiFailure } from '../../core/rest/client/call.ts'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { noteServerTime } from './server-clock.ts'

let onRefused = (): void => undefined

/** Has something done whenever the server asks for a token: the session may have ended. */
export function whenRefused(act: () => void): void {
  onRefused = act
}

/** Each browser has other words for this, of which none says what to do; one that was given up is none of these. */
function sayUnreached(cause: unknown, isRepeatable: boolean): never {
  const wayOut = isRepeatable ? 'try again once it can be' : 'look whether it was done once it can be'
  throw cause instanceof TypeError ? new Error(`The server cannot be reached: ${wayOut}.`, { cause }) : cause
}

/** Whose answer 401 is told where it is asked. */
const SESSION = `${location.origin}/api/session`

/** The REST API of the server that this page came from; the session's cookie goes along by itself. */
export const api: ApiClient = connectApi({
  url: location.origin,
  fetch: async (url, init) => {
    const response = await fetch(url, init).catch((cause: unknown) => sayUnreached(cause, init?.method !== 'POST'))
    noteServerTime(response.headers.get('Date'), Date.now())
    if (response.status === 401 && url !== SESSION) {
      onRefused()
      // The server's words are for programs: they name a header.
      throw new ApiFailure(401, 'unauthorized', 'Your session has ended: sign in again in another tab.')
    }
    return response
  },
})
