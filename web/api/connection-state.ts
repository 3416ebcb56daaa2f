/** How the page's connection is, through all sessions of the page; knows no socket and no browser. */
import { createWatched } from '../model/watched.ts'
import type { LiveState } from './live.ts'

const STARTING: LiveState = { phase: 'starting', failures: 0 }

export interface ConnectionState {
  now(): LiveState
  set(next: LiveState): void
  /** The session is over: the next one begins as the first one did. */
  end(): void
  /** Resolves with the first connection of this session, or with the first failure of one. */
  whenSettled(): Promise<void>
  subscribe(listener: () => void): () => void
}

export function createConnectionState(): ConnectionState {
  const state = createWatched(STARTING)
  let settle: () => void = () => undefined
  const wait = (): Promise<void> => new Promise((resolve) => (settle = resolve))
  let settled = wait()
  return {
    now: state.read,
    set(next) {
      state.set(next)
      settle()
    },
    end() {
      // Who still waits for the first connection of this session waits for that of the next one.
      if (state.read() !== STARTING) settled = wait()
      state.set(STARTING)
    },
    whenSettled: () => settled,
    subscribe: state.subscribe,
  }
}
