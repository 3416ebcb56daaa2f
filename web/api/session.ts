/** Who uses this page, and what they may do. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { Scope } from '../../core/rest/route.ts'
import { api } from './client.ts'
import { queryClient, sessionOptions } from './queries.ts'

export interface SessionState {
  /** `signed-out`: the server asks for a token. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out'
  readonly name: string
  /** Why it is not known, once asking has failed. */
  readonly error: Error | undefined
  may(scope: Scope): boolean
}

export function useSession(): SessionState {
  const { data, error } = useQuery(sessionOptions)
  const isSignedOut = error instanceof ApiFailure && error.status === 401
  return {
    phase: isSignedOut ? 'signed-out' : data === undefined ? 'unknown' : 'signed-in',
    name: data?.name ?? '',
    error: error ?? undefined,
    may: (scope) => !isSignedOut && data?.scopes.includes(scope) === true,
  }
}

/** Begins a session with a token. @throws ApiFailure 401 in the server's words */
export async function signIn(token: string): Promise<void> {
  await api.beginSession({ body: { token } })
  // Nothing that was read, or refused, before is of this person.
  await queryClient.resetQueries()
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await api.endSession()
  await queryClient.resetQueries()
}

/** Asks again who the caller is, as when the connection was refused: perhaps the session has ended. */
export function askWhoAgain(): void {
  void queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
}
