/** Who uses this page, and what they may do. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { Scope } from '../../core/rest/route.ts'
import { browserDrafts } from './browser-drafts.ts'
import { api } from './client.ts'
import { queryClient, sessionOptions } from './queries.ts'

export interface SessionState {
  /** `signed-out`: the server asks for a token. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out'
  readonly name: string
  may(scope: Scope): boolean
}

export function useSession(): SessionState {
  const { data } = useQuery(sessionOptions)
  if (data === undefined || data === 'signed-out') return { phase: data ?? 'unknown', name: '', may: () => false }
  return { phase: 'signed-in', name: data.name, may: (scope) => data.scopes.includes(scope) }
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

/** Ends the session of this browser, and forgets what the person has begun to write. */
export async function signOut(): Promise<void> {
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  await api.endSession()
  if (session !== undefined && session !== 'signed-out') browserDrafts().forgetPerson(session.name)
  await queryClient.resetQueries()
}

/** Asks again who the caller is, as when the connection was refused: perhaps the session has ended. */
export function askWhoAgain(): void {
  void queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
}
