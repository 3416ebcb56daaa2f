import { useLocation } from '@tanstack/react-router'
import { type ReactNode, lazy, Suspense, useEffect } from 'react'
import { useDraft } from '../api/drafts.ts'
import { useListSummary } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { Skeleton } from '../components/view-states.tsx'

const FirstRun = lazy(() =>
  import('../features/first-run/first-run.tsx').then(({ FirstRun: component }) => ({ default: component })),
)

/** The views in whose place it stands. */
const GUIDED = ['/', '/stories']

/**
 * Shows the guide in place of a view while there is no task and no story, and until the guide's own task is accepted
 * and is not the only one, or the guide is left. Who may not make a project sees the view. Until it is known which of the two it is, neither shows.
 */
export function FirstRunGate({ children }: { readonly children: ReactNode }) {
  const { phase, may } = useSession()
  const isGuided = GUIDED.includes(useLocation({ select: ({ pathname }) => pathname }))
  const [isLeft, setLeft] = useDraft('first-run.left')
  const [taskId, setTaskId] = useDraft('first-run.task')
  const tasks = useListSummary('tasks', ({ rows }) => {
    if (rows.size === 0) return 'none'
    const own = rows.get(taskId)?.record
    return own !== undefined && (rows.size === 1 || own.state !== 'COMPLETED') ? 'own' : 'others'
  })
  const stories = useListSummary('stories', ({ rows }) => (rows.size === 0 ? 'none' : 'some'))
  // Remembered, so that where there is work the view need not wait for the lists to say so.
  const [isBegun, setBegun] = useDraft('first-run.begun')
  const hasWork = tasks === 'others' || stories === 'some'
  useEffect(() => {
    if (hasWork && isBegun === '') setBegun('yes')
  })
  if (!isGuided || isLeft !== '' || (phase === 'signed-in' && !(may('admin') && may('decide')))) return children
  // A list that cannot be read is the view's to tell.
  if (tasks === 'failed' || stories === 'failed') return children
  if (phase !== 'signed-in' || tasks === undefined || (tasks === 'none' && stories === undefined))
    return isBegun === '' ? <Unknown /> : children
  if (tasks !== 'own' && !(tasks === 'none' && stories === 'none')) return children
  return (
    <Suspense fallback={<Skeleton rows={6} label="The guide is being read" />}>
      <FirstRun
        taskId={taskId}
        onTask={setTaskId}
        onLeave={() => {
          setTaskId('')
          setLeft('yes')
        }}
      />
    </Suspense>
  )
}

function Unknown() {
  return (
    <>
      <h1 className="unseen">Slipway</h1>
      <Skeleton rows={6} label="The page is being read" />
    </>
  )
}
