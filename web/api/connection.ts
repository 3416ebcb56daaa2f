/** The page's live connection: one for all views, with its state for whoever shows it. */
import { useSyncExternalStore } from 'react'
import type { LiveMessage } from '../../core/rest/messages.ts'
import { createConnectionState } from './connection-state.ts'
import { type LiveSocket, type LiveState, startLive } from './live.ts'

const state = createConnectionState()

/** Resolves with the first connection of a session, or with the first failure of one: then lists are read without it. */
export const whenFirstSettled = state.whenSettled

export function useConnection(): LiveState {
  return useSyncExternalStore(state.subscribe, state.now)
}

function connect(since: string | undefined): LiveSocket {
  const url = new URL('/api/ws', location.href.replace(/^http/, 'ws'))
  if (since !== undefined) url.searchParams.set('since', since)
  const socket = new WebSocket(url)
  const own: LiveSocket = { onopen: null, onmessage: null, onclose: null, close: () => socket.close() }
  socket.addEventListener('open', () => own.onopen?.())
  socket.addEventListener('message', (event) => own.onmessage?.(event))
  socket.addEventListener('close', () => own.onclose?.())
  return own
}

export interface ConnectionEvents {
  readonly onMessages: (messages: readonly LiveMessage[]) => void
  /** The first connection after lists were read without one: what happened in between is not known. */
  readonly onGap: () => void
  /** A connection could not be made; perhaps the session has ended. */
  readonly onAway: () => void
}

/** Connects, and stays connected until the returned function is called; what is told of the connection begins anew then. */
export function startConnection({ onMessages, onGap, onAway }: ConnectionEvents): () => void {
  let hasReceived = false
  const live = startLive({
    connect,
    schedule: (delayMs, what) => {
      const timer = setTimeout(what, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    onMessages: (messages) => {
      hasReceived = true
      onMessages(messages)
    },
    onState: (next) => {
      // With the id of a message the server tells by itself what was missed.
      if (next.phase === 'live' && state.now().phase === 'away' && !hasReceived) onGap()
      if (next.phase === 'away') onAway()
      state.set(next)
    },
  })
  const retryWhenSeen = (): void => {
    if (document.visibilityState === 'visible') live.retryNow()
  }
  addEventListener('online', live.retryNow)
  document.addEventListener('visibilitychange', retryWhenSeen)
  return () => {
    removeEventListener('online', live.retryNow)
    document.removeEventListener('visibilitychange', retryWhenSeen)
    live.stop()
    state.end()
  }
}
