/** Who uses this page, and what they may do. */
import { useQuery } from '@tanstack/react-query'
import type { Scope } from '../../core/rest/route.ts'
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
