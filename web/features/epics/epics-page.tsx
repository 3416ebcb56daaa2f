import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { compareEpics } from '../../model/epic-order.ts'
import { CreateEpic } from './epic-form.tsx'
import { EpicItem } from './epic-item.tsx'
import css from './epics.module.css'

const route = getRouteApi('/epics')

/** The view at /epics. */
export function EpicsPage() {
  const epics = useRecords('epics')
  const { data: stories = [], isPending } = useRecords('stories')
  const { may } = useSession()
  const { propose, about } = route.useSearch()
  const navigate = route.useNavigate()
  // Undefined: nothing was created yet. Once the form is gone, its button has the focus again.
  const [isCreating, setCreating] = useState<boolean>()
  const isOpen = may('decide') && (isCreating === true || propose !== undefined)
  const close = (): void => {
    setCreating(false)
    void navigate({ search: ({ propose: _propose, about: _about, ...rest }) => rest, replace: true })
  }
  return (
    <>
      <ViewHeader title="Epics">
        {epics.data !== undefined && <span>{epics.data.length}</span>}
        {may('decide') && !isOpen && (
          <span data-end>
            <Button isSmall autoFocus={isCreating === false} onClick={() => setCreating(true)}>
              New epic
            </Button>
          </span>
        )}
      </ViewHeader>
      {epics.isError && (
        <ErrorState title="The epics could not be read" error={epics.error} onRetry={() => void epics.refetch()} />
      )}
      {/* An empty page holds nothing that takes the focus, and may have to be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css['page']} tabIndex={epics.data?.length === 0 ? 0 : undefined}>
        {isOpen && <CreateEpic key={propose} name={propose ?? ''} description={about ?? ''} onEnd={close} />}
        {epics.data?.length === 0 && !isOpen && (
          <EmptyState title="There is no epic yet">
            An epic is a theme over several stories, such as “Checkout”. It is a lane of the board, and says how many of
            its stories are done. {may('decide') && 'Make one with New epic, then give it to stories on their pages.'}
          </EmptyState>
        )}
        {epics.isPending || isPending ? (
          <Skeleton rows={4} label="The epics are being read" />
        ) : (
          <ul className={css['list']}>
            {(epics.data ?? []).toSorted(compareEpics).map((epic) => (
              <EpicItem key={epic.id} epic={epic} stories={stories.filter(({ epic_id }) => epic_id === epic.id)} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
