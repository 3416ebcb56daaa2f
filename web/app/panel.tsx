import { CatchBoundary, Link, useSearch } from '@tanstack/react-router'
import { Maximize2, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { PlaceContext } from '../api/unsaved.ts'
import { ICON } from '../components/icons.tsx'
import { usePanel } from '../components/use-panel.ts'
import { Skeleton } from '../components/view-states.tsx'
import { type StoryTab, STORY_TABS } from '../features/story/search.ts'
import { type TaskTab, TASK_TABS } from '../features/task/search.ts'
import { type Open, pageOf, parseOpen } from '../model/open.ts'
import { AwayBanner } from './away-banner.tsx'
import { ViewFailed } from './fallbacks.tsx'
import css from './panel.module.css'

const TaskPanel = lazy(() =>
  import('../features/task/task-view.tsx').then(({ TaskPanel: component }) => ({ default: component })),
)
const StoryPanel = lazy(() =>
  import('../features/story/story-view.tsx').then(({ StoryPanel: component }) => ({ default: component })),
)

const TABS: readonly (TaskTab | StoryTab)[] = [...TASK_TABS, ...STORY_TABS]

/** Beside the view, and over it where there is no room: the task or story that the URL says is open. */
export function Panel() {
  const { open: value, openTab } = useSearch({ strict: false })
  const open = parseOpen(value)
  return open === undefined ? null : <OpenPanel what={open} tab={TABS.find((tab) => tab === openTab)} />
}

function OpenPanel({ what, tab }: { readonly what: Open; readonly tab: TaskTab | StoryTab | undefined }) {
  const { close } = usePanel()
  const ref = useRef<HTMLElement>(null)
  useFocusWhileOpen(ref)
  useEscape(close)
  const address = pageOf(what)
  return (
    <aside ref={ref} className={css['panel']} aria-label={`Details of the ${what.kind}`} tabIndex={-1} data-panel>
      <div className={css['bar']}>
        <span>{what.kind === 'task' ? 'Task' : 'Story'}</span>
        <Link
          to={address}
          search={tab === undefined ? {} : { tab }}
          className={css['button']}
          title="Open as page"
          aria-label="Open as page"
        >
          <Maximize2 size={ICON} aria-hidden />
        </Link>
        <button type="button" className={css['button']} title="Close (Esc)" aria-label="Close" onClick={close}>
          <X size={ICON} aria-hidden />
        </button>
      </div>
      {/* It may cover that of the page. */}
      <AwayBanner />
      <CatchBoundary getResetKey={() => address} errorComponent={ViewFailed}>
        <PlaceContext value="panel">
          <Suspense fallback={<Skeleton rows={4} label="It is being read" />}>
            {what.kind === 'task' ? (
              <TaskPanel key={what.id} taskId={what.id} />
            ) : (
              <StoryPanel key={what.id} storyId={what.id} />
            )}
          </Suspense>
        </PlaceContext>
      </CatchBoundary>
    </aside>
  )
}

/** Takes the focus when it opens, and gives it back to what had it when it closes. */
function useFocusWhileOpen(ref: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement
    ref.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [ref])
}

/** Escape leaves a field first, and then closes; what lies over the panel takes it before. */
function useEscape(close: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const field = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      if (!field) return close()
      if (event.target.closest('[data-panel]') !== null) event.target.closest<HTMLElement>('[data-panel]')?.focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [close])
}
