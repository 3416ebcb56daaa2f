/**
 * What is open in the side panel, as it stands in the URL of every view: `?open=task:ID` or `?open=story:ID`. So a link
 * shows what its sender saw, and going back closes the panel over a view that stays as it was.
 */
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

export const OPEN_KINDS = ['task', 'story'] as const
export type OpenKind = (typeof OPEN_KINDS)[number]

export interface Open {
  readonly kind: OpenKind
  readonly id: string
}

/** The search parameter that every view has. */
export interface OpenSearch {
  readonly open?: string
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many entries of the history back the panel was closed. */
    panelDepth?: number
  }
}

/** What the parameter names; undefined for what is none of it. */
export function parseOpen(value: unknown): Open | undefined {
  const [, kind, id] = typeof value === 'string' ? (/^(task|story):(.+)$/s.exec(value) ?? []) : []
  const known = OPEN_KINDS.find((candidate) => candidate === kind)
  return known === undefined || id === undefined ? undefined : { kind: known, id }
}

/** The parameter as the router keeps it; left out where it names nothing. */
export function parseOpenSearch(search: Readonly<Record<string, unknown>>): OpenSearch {
  const open = parseOpen(search['open'])
  return open === undefined ? {} : { open: `${open.kind}:${open.id}` }
}

/** The address of something's own page. */
export function pageOf({ kind, id }: Open): string {
  return `/${kind === 'task' ? 'tasks' : 'stories'}/${encodeURIComponent(id)}`
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
        search: (now) => ({ ...now, open: `${kind}:${id}` }),
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
      void router.navigate({ to: '.', search: ({ open: _open, ...rest }) => rest, replace: true, resetScroll: false })
  }, [router])
  return { open, close }
}
