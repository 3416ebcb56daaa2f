import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { notificationPath } from '../model/notification-link.ts'

/**
 * Goes where the click on a notification leads, without a reload. A button decides nothing: its `?action=` makes the view
 * put the focus on the decision, so that one more tap takes it.
 */
export function useNotificationClicks(): void {
  const router = useRouter()
  useEffect(() => {
    // Pages that came neither over https nor from this machine have no workers.
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      const path = notificationPath(data, location.origin)
      if (path !== undefined) router.history.push(path)
    }
    workers?.addEventListener('message', onMessage)
    return () => workers?.removeEventListener('message', onMessage)
  }, [router])
}
