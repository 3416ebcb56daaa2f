import { apiError } from '../../core/errors.ts'
import type { SessionRecord } from '../../core/rest/records/server.ts'
import { toTimestamp } from '../../core/time.ts'
import { represent } from '../records/representation.ts'
import type { Caller, Tokens } from '../auth/tokens.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Handlers } from './handler.ts'

/** Sessions of browsers. */
export function sessionHandlers({ sessions, tokens }: { readonly sessions: Sessions; readonly tokens: Tokens }) {
  return {
    async beginSession({ caller, body }) {
      // There is nothing to stand for: whoever comes may do everything.
      if (!tokens.isRequired) return { status: 200, body: represent(toRecord(caller)) }
      const token = tokens.named(caller.name) ?? tokens.find((await body()).token)
      if (token === undefined) throw apiError('unauthorized')
      const { cookie, endsAt } = sessions.begin(token)
      const record = toRecord({ ...token, sessionEndsAt: endsAt })
      return { status: 200, body: represent(record), headers: { 'Set-Cookie': cookie } }
    },
    getSession: async ({ caller }) => ({ status: 200, body: represent(toRecord(caller)) }),
    endSession: async () => ({ status: 204, body: undefined, headers: { 'Set-Cookie': sessions.endCookie } }),
  } satisfies Partial<Handlers>
}

function toRecord({ name, scopes, sessionEndsAt }: Caller): SessionRecord {
  const until = sessionEndsAt === undefined ? {} : { expires_at: toTimestamp(sessionEndsAt) }
  return { name, scopes: [...scopes], ...until }
}
