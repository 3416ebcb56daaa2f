/** Who uses this page, and what they may do. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { SIGN_OUT_HEADER } from '../../core/names.ts'
import type { SignInOffer } from '../../core/rest/records/server.ts'
import type { Scope } from '../../core/rest/route.ts'
import { browserDrafts } from './browser-drafts.ts'
import { api } from './client.ts'
import { decisions } from './decisions.ts'
import { queryClient, sessionOptions } from './queries.ts'

export interface SessionState {
  /** `signed-out`: the server asks for a token. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out'
  readonly name: string
  /** RFC 3339; absent where no session says who this is. */
  readonly endsAt?: string | undefined
  /** Still shown as signed in, for what the page holds that is not saved; the server takes nothing any more. */
  readonly isOver: boolean
  /** A way to sign in beside a token. */
  readonly signIn?: SignInOffer | undefined
  may(scope: Scope): boolean
}

export function useSession(): SessionState {
  const { data } = useQuery(sessionOptions)
  const nobody = { name: '', isOver: false, may: () => false }
  if (data === undefined) return { phase: 'unknown', ...nobody }
  if ('signIn' in data) return { phase: 'signed-out', signIn: data.signIn, ...nobody }
  const { name, expires_at: endsAt, scopes, isOver = false } = data
  return { phase: 'signed-in', name, endsAt, isOver, may: (scope) => scopes.includes(scope) }
}

/** Whether the server answers already, and says that it is not ready yet. */
export function useIsServerStarting(): boolean {
  const { failureReason } = useQuery(sessionOptions)
  return failureReason instanceof ApiFailure && failureReason.code === 'unavailable'
}

/** Begins a session with a token. @throws ApiFailure 401 in the server's words */
export async function signIn(token: string): Promise<void> {
  await api.beginSession({ body: { token } })
  // Nothing that was read, or refused, before is of this person.
  await queryClient.resetQueries()
}

/** Where the browser goes to sign in without a token; it comes back to the page that it left. */
export function signInAddress({ url }: SignInOffer): string {
  const { pathname, search, hash } = window.location
  return `${url}?${new URLSearchParams({ return: `${pathname}${search}${hash}` })}`
}

/** How long signing out waits for decisions to be answered; those that were not sent by then are taken back. */
const LEAVE_MS = 10_000

/** A decision that was sent at the sign-out was refused, so the person has something to see to. */
export class StillSignedIn extends Error {
  override readonly name = 'StillSignedIn'
  constructor() {
    super('You are still signed in: a decision was refused.')
  }
}

/**
 * Ends the session of this browser, at the provider too, and forgets what the person has begun to write. What waits to be
 * taken back is sent first; if that is refused, the person stays, with what they wrote.
 *
 * @throws StillSignedIn @throws ApiFailure
 */
export async function signOut(): Promise<undefined> {
  if (!(await decisions.leave(LEAVE_MS))) throw new StillSignedIn()
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  let elsewhere: string | null = null
  await api.endSession({}, { onHeaders: (headers) => (elsewhere = headers.get(SIGN_OUT_HEADER)) })
  if (session !== undefined && 'name' in session) browserDrafts().forgetPerson(session.name)
  if (elsewhere === null) await queryClient.resetQueries()
  else window.location.assign(elsewhere)
}

/** Asks again who the caller is, as when the connection was refused: perhaps the session has ended. */
export function askWhoAgain(): void {
  void queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
}
