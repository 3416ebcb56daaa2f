/** What a person has put away in the inbox until it changes, kept in this browser as saved views are. */
import { useMemo, useSyncExternalStore } from 'react'
import type { Attention } from '../model/attention.ts'
import { formatPutAway, parsePutAway, standingOf } from '../model/inbox-rows.ts'
import { tryToStore } from './draft-store.ts'
import { useSession } from './session.ts'

const listeners = new Set<() => void>()

/** This tab and the others. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export interface PutAway {
  isAway(item: Attention): boolean
  /**
   * Whether there was room for it in the browser.
   *
   * @param all that waits for the person
   * @param moved those that are put away from now on, or brought back
   */
  move(all: readonly Attention[], moved: readonly Attention[], isAway: boolean): boolean
}

export function usePutAway(): PutAway {
  const key = `slipway.put-away.${useSession().name}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  return useMemo(() => {
    const away = parsePutAway(text)
    const isAway = (item: Attention): boolean => away.has(standingOf(item))
    return {
      isAway,
      move(all, moved, isPutAway) {
        const standings = new Set(moved.map(standingOf))
        const isAwayThen = (item: Attention): boolean => (standings.has(standingOf(item)) ? isPutAway : isAway(item))
        const isStored = tryToStore(localStorage, key, formatPutAway(all, isAwayThen))
        listeners.forEach((listener) => listener())
        return isStored
      },
    }
  }, [key, text])
}
