import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type Open, parseOpen } from '../model/open.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many entries of the history back the panel was closed. */
    panelDepth?: number
  }
}

export interface PanelActions {
  /** Opens something in the panel, over the view as it is. */
  readonly open: (what: Open) => void
  /** Closes the panel: goes back to where it was opened, or, where the page began with it, takes it out of the URL. */
  readonly close: () => void
}

export function usePanel(): PanelActions {
  const router = useRouter()
  const open = useCallback(
    ({ kind, id }: Open) => {
      const depth = router.state.location.state.panelDepth ?? 0
      const isOpen = parseOpen(new URLSearchParams(router.state.location.searchStr).get('open')) !== undefined
      void router.navigate({
        to: '.',
        search: ({ openTab: _tab, ...now }) => ({ ...now, open: `${kind}:${id}` }),
        // A page that began with an open panel has no entry without it to go back to.
        state: isOpen && depth === 0 ? {} : { panelDepth: depth + 1 },
        resetScroll: false,
      })
    },
    [router],
  )
  const close = useCallback(() => {
    const depth = router.state.location.state.panelDepth ?? 0
    if (depth > 0) router.history.go(-depth)
    else
      void router.navigate({
        to: '.',
        search: ({ open: _open, openTab: _tab, ...rest }) => rest,
        replace: true,
        resetScroll: false,
      })
  }, [router])
  return { open, close }
}

/** The tab that is chosen in the panel, and what chooses another one; undefined: none of `tabs` is chosen. */
export function usePanelTab<Tab extends string>(tabs: readonly Tab[]): readonly [Tab | undefined, (tab: Tab) => void] {
  const router = useRouter()
  const chosen = useSearch({ strict: false, select: ({ openTab }) => openTab })
  const choose = useCallback(
    (openTab: Tab) =>
      void router.navigate({
        to: '.',
        search: (now) => ({ ...now, openTab }),
        // How far back the panel was closed stays true: the entry is replaced.
        state: true,
        replace: true,
        resetScroll: false,
      }),
    [router],
  )
  return [tabs.find((tab) => tab === chosen), choose]
}
