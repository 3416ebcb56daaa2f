import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isHeld } from '../api/unsaved.ts'
import { notificationPath, withOpenPanel } from '../model/notification-link.ts'

/**
 * Goes where the click on a notification leads, without a reload, and tells the worker whether it did: a page in which
 * something is being written, or is under way, stays where it is, and the worker finds another one. A button decides
 * nothing: its `?action=` makes the view put the focus on the decision, so that one more tap takes it.
 */
export function useNotificationClicks(): void {
  const router = useRouter()
  useEffect(() => {
    // Pages that came neither over https nor from this machine have no workers.
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
    const onMessage = ({ data, ports }: MessageEvent<unknown>): void => {
      const path = notificationPath(data, location.origin)
      if (path === undefined) return
      // The view that is open already stays, and so does what is written in it.
      const isTaken = !isHeld() || path.split('?', 1)[0] === location.pathname
      if (isTaken) router.history.push(isHeld() ? withOpenPanel(path, location) : path)
      ports[0]?.postMessage(isTaken)
    }
    workers?.addEventListener('message', onMessage)
    return () => workers?.removeEventListener('message', onMessage)
  }, [router])
}
