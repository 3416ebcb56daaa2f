import { useEffect } from 'react'
import { decisions } from '../api/decisions.ts'
import { takeBack } from '../api/held-decisions.ts'
import { refuse } from '../components/toast.tsx'

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
    /** A page that was put aside as it was has lost the answers to its checks. */
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) say(takeBack(decisions, 'You left the page', ({ phase }) => phase === 'checking'))
    }
    addEventListener('pagehide', leave)
    addEventListener('pageshow', onShow)
    addEventListener('beforeunload', onClose)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', onShow)
      removeEventListener('beforeunload', onClose)
      document.removeEventListener('visibilitychange', onHidden)
    }
  }, [])
}

/**
 * Takes back what is not sent when the session ends, so that it never goes out as the next person's decision.
 *
 * @param person who is signed in, if anybody
 */
export function useSessionEnd(person: string | undefined): void {
  useEffect(() => {
    if (person === undefined) return undefined
    return () => say(takeBack(decisions, 'Your session ended'))
  }, [person])
}

function say(words: string | undefined): void {
  if (words !== undefined) refuse(words)
}
