import { useSyncExternalStore } from 'react'

/** As in every style sheet. */
const query = matchMedia('(max-width: 700px)')

/** Whether the page is as narrow as a phone; for what style sheets cannot say. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
