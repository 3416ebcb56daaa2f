/** The page's live connection: one for all views, with its state for whoever shows it. */
import { useSyncExternalStore } from 'react'
import type { LiveMessage } from '../../core/rest/messages.ts'
import type { LiveSocket, LiveState } from './live.ts'
import { startLive } from './live.ts'

let state: LiveState = { phase: 'starting', failures: 0 }
const listeners = new Set<() => void>()
let settle: () => void = () => undefined
const settled = new Promise<void>((resolve) => (settle = resolve))

/** Resolves with the first connection, or with the first failure of one: then the lists are read without it. */
export function whenFirstSettled(): Promise<void> {
  return settled
}

function setState(next: LiveState): void {
  state = next
  settle()
  for (const listener of listeners) listener()
}

export function useConnection(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
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

/** Connects, and stays connected until the returned function is called. */
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
      if (next.phase === 'live' && state.phase === 'away' && !hasReceived) onGap()
      if (next.phase === 'away') onAway()
      setState(next)
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
  }
}
