/** Named filters, kept in this browser for each person that signs in with it. */
import { useState } from 'react'
import { type SavedView, formatViews, parseViews } from '../model/saved-views.ts'
import { useSession } from './session.ts'

/** @param view whose filters: `tasks`, `stories` */
export function useSavedViews(view: string): readonly [readonly SavedView[], (views: readonly SavedView[]) => void] {
  const key = `slipway.views.${view}.${useSession().name}`
  const [stored, setStored] = useState(() => ({ key, views: parseViews(localStorage.getItem(key)) }))
  const views = stored.key === key ? stored.views : parseViews(localStorage.getItem(key))
  const store = (next: readonly SavedView[]): void => {
    localStorage.setItem(key, formatViews(next))
    setStored({ key, views: next })
  }
  return [views, store]
}
