import { ApiError, apiError } from '../../core/errors.ts'
import type { SessionRecord } from '../../core/rest/records/server.ts'
import { SIGN_OUT_HEADER } from '../../core/names.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Logger } from '../../lib/log.ts'
import { ProviderUnavailable } from '../../lib/oidc-errors.ts'
import { represent } from '../records/representation.ts'
import type { Authorization } from '../auth/authorization.ts'
import type { Oidc } from '../auth/oidc.ts'
import type { Caller, Tokens } from '../auth/tokens.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Handlers } from './handler.ts'

export interface SessionContext {
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly authorization: Authorization
  readonly oidc: Oidc | undefined
  readonly logger: Logger
}

/** Sessions of browsers. */
export function sessionHandlers({ sessions, tokens, authorization, oidc, logger }: SessionContext) {
  /** The cookie goes also when the provider cannot say where its own session ends. */
  const findSignOut = async (): Promise<string | undefined> => {
    const url = await oidc?.endSessionUrl().catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) throw error
      logger.warn({ reason: error.message }, 'the OpenID provider cannot be asked where a session ends')
      return undefined
    })
    return url?.href
  }
  const toRecord = async (caller: Caller): Promise<SessionRecord> => {
    const { name, sessionEndsAt } = caller
    const until = sessionEndsAt === undefined ? {} : { expires_at: toTimestamp(sessionEndsAt) }
    return { name, scopes: [...(await authorization.scopesOf(caller))], ...until }
  }
  return {
    async beginSession({ caller, body }) {
      // Its own end is soon, and a cookie could be neither made nor checked without it.
      if (caller.subject !== undefined)
        throw new ApiError('invalid_request', 'a Kubernetes token begins no session: send it with each request')
      // There is nothing to stand for: whoever comes may do everything.
      if (caller.scopes.length > 0 && tokens.named(caller.name) === undefined)
        return { status: 200, body: represent(await toRecord(caller)) }
      const token = tokens.named(caller.name) ?? tokens.find((await body()).token)
      if (token === undefined) throw apiError('unauthorized')
      const { cookie, endsAt } = sessions.begin(token)
      const record = await toRecord({ ...token, sessionEndsAt: endsAt })
      return { status: 200, body: represent(record), headers: { 'Set-Cookie': cookie } }
    },
    getSession: async ({ caller }) => ({ status: 200, body: represent(await toRecord(caller)) }),
    async endSession({ cookie }) {
      const signOut = sessions.isSealed({ cookie }) ? await findSignOut() : undefined
      const more = signOut === undefined ? {} : { [SIGN_OUT_HEADER]: signOut }
      return { status: 204, body: undefined, headers: { 'Set-Cookie': sessions.endCookie, ...more } }
    },
  } satisfies Partial<Handlers>
}
