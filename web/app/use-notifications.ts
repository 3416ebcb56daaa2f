/**
 * The page's side of a notification. Its buttons decide nothing: they lead to the place of the decision, which is
 * marked with `data-action="<name>"`, and put the focus there, so that one more tap takes it.
 */
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { actionOf, notificationPath } from '../model/notification-link.ts'

/** Records may take their time; after that a person has long begun to do something else. */
const PATIENCE_MS = 15_000

/** Goes where the click on a notification leads, without a reload. */
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

/** Shows the decision that the address names, once it is there, and takes it off the address. */
export function useNotificationAction(): void {
  const router = useRouter()
  const action = useLocation({ select: ({ search }) => actionOf(search) })
  useEffect(() => {
    if (action === undefined) return undefined
    const forget = (): void => {
      const { pathname, searchStr } = router.state.location
      const search = new URLSearchParams(searchStr)
      search.delete('action')
      const rest = search.toString()
      router.history.replace(rest === '' ? pathname : `${pathname}?${rest}`)
    }
    const stop = whenThere(`#main [data-action="${action}"]`, (place) => {
      place.scrollIntoView({ block: 'center' })
      place.focus()
      forget()
    })
    return stop
  }, [action, router])
}

/** Calls `act` with the element as soon as there is one; the returned function gives up. */
function whenThere(selector: string, act: (element: HTMLElement) => void): () => void {
  const found = (): boolean => {
    const element = document.querySelector<HTMLElement>(selector)
    if (element === null) return false
    stop()
    act(element)
    return true
  }
  const observer = new MutationObserver(found)
  const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS)
  const stop = (): void => {
    observer.disconnect()
    clearTimeout(timer)
  }
  if (!found()) observer.observe(document.body, { childList: true, subtree: true })
  return stop
}
