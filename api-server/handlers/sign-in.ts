import { apiError } from '../../core/errors.ts'
import { ProviderUnavailable, SignInRefused } from '../../lib/oidc-errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Authorization } from '../auth/authorization.ts'
import type { Cookie } from '../auth/cookies.ts'
import { type Oidc, type SignedIn, FLOW_MS, START_PATH } from '../auth/oidc.ts'
import { NoPerson } from '../auth/person.ts'
import { findReturnUrl } from '../auth/return-path.ts'
import type { Sessions } from '../auth/sessions.ts'
import { formatSignInPage } from '../auth/sign-in-page.ts'
import type { Handlers, ReplyHeaders } from './handler.ts'

export interface SignInContext {
  /** Absent: nobody signs in so. */
  readonly oidc: Oidc | undefined
  readonly sessions: Sessions
  readonly flowCookie: Cookie
  readonly authorization: Authorization
  readonly logger: Logger
}

type PageStatus = 400 | 403 | 503

/** Browsers keep no larger cookie; RFC 6265bis §5.6 lets them ignore it, and a session would never begin. */
const MAX_COOKIE_BYTES = 4096
const NO_STORE = { 'Cache-Control': 'no-store' }
/** Not longer than what fits into the cookie of the flow. */
const MAX_RETURN_LENGTH = 1500

/** Sign-in of people with OpenID Connect. Answers are for browsers, so refusals are pages. */
export function signInHandlers({ oidc, sessions, flowCookie, authorization, logger }: SignInContext) {
  const getOidc = (): Oidc => {
    if (oidc === undefined) throw apiError('route_not_found', START_PATH)
    return oidc
  }
  const page = <S extends PageStatus>(status: S, title: string, ...text: string[]) => {
    const body = formatSignInPage({ title, text, startUrl: getOidc().startUrl })
    return { status, body, headers: { ...NO_STORE, 'Set-Cookie': flowCookie.end } }
  }
  const refuse = (error: unknown) => {
    const { name } = getOidc()
    if (error instanceof NoPerson) return page(403, 'You cannot be signed in', error.message)
    if (error instanceof SignInRefused) {
      logger.warn({ reason: error.message }, 'a sign-in was refused')
      return page(
        400,
        'The sign-in failed',
        `${name} or a check of its answer refused it; the log of the server says why.`,
      )
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    logger.error({ reason: error.message }, 'the OpenID provider cannot be used')
    return page(503, 'Nobody can sign in now', `${name} does not answer as it should. Try again in a moment.`)
  }
  const admit = async ({ caller, username, returnTo, endsAt, sealed }: SignedIn) => {
    const { name } = getOidc()
    const who = `You are signed in at ${name} as ${username}.`
    if (caller === undefined) return page(403, 'You cannot be signed in', `${who} Slipway takes no such name.`)
    if ((await authorization.scopesOf(caller)).length === 0) {
      const missing = caller.subject
        ? 'No role of the namespace is bound to that name or one of your groups.'
        : 'No role of identity.oidc.roles names you or one of your groups.'
      return page(403, 'You may do nothing here', who, `${missing} Ask whoever runs this server for one.`)
    }
    const cookie = sessions.beginSealed(sealed, endsAt)
    if (cookie.length > MAX_COOKIE_BYTES)
      return page(
        403,
        'You are in too many groups',
        `${who} Your groups do not fit into a cookie: have the provider send fewer, such as those of this application.`,
      )
    const headers: ReplyHeaders = { ...NO_STORE, Location: returnTo, 'Set-Cookie': [flowCookie.end, cookie] }
    return { status: 302 as const, body: undefined, headers }
  }
  return {
    async beginSignIn({ query }) {
      const { startUrl, begin } = getOidc()
      const wanted = query.return ?? '/'
      const returnTo = findReturnUrl(wanted.length > MAX_RETURN_LENGTH ? '/' : wanted, new URL(startUrl).origin)
      if (returnTo === undefined) throw apiError('invalid_request', 'return: must be the path of a page of this server')
      try {
        const { location, sealed } = await begin(returnTo)
        const headers = { ...NO_STORE, Location: location.href, 'Set-Cookie': flowCookie.set(sealed, FLOW_MS / 1000) }
        return { status: 302, body: undefined, headers }
      } catch (error) {
        return refuse(error)
      }
    },
    async endSignIn({ query, cookie }) {
      const { finish } = getOidc()
      const answer = new URLSearchParams(query)
      const [sealed = ''] = flowCookie.find({ cookie })
      const done = await finish(answer, sealed).catch((error: unknown) => refuse(error))
      if (done !== 'unknown-flow') return 'status' in done ? done : admit(done)
      return page(
        400,
        'This sign-in is not known',
        'It took longer than ten minutes, or was begun in another browser or at another address, or another one was begun since.',
      )
    },
  } satisfies Partial<Handlers>
}
