import { useEffect } from 'react'
import { decisions } from '../api/decisions.ts'

/**
 * Sends what waits to be taken back when the person leaves the page. A phone may end a page that is out of sight without
 * a word, so there that counts as leaving.
 */
export function useLeaving(): void {
  useEffect(() => {
    const isPhone = matchMedia('(pointer: coarse)')
    const leave = (): void => void decisions.leave()
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden' && isPhone.matches) leave()
    }
    /** What is pressed and not yet compared with the server's record would be lost. */
    const onClose = (event: BeforeUnloadEvent): void => {
      if (decisions.read().some(({ phase }) => phase === 'checking')) event.preventDefault()
    }
    addEventListener('pagehide', leave)
    addEventListener('beforeunload', onClose)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('beforeunload', onClose)
      document.removeEventListener('visibilitychange', onHidden)
    }
  }, [])
}
