import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import { useDraft } from '../api/drafts.ts'
import { useRecords } from '../api/queries.ts'
import { useSession } from '../api/session.ts'

const FirstRun = lazy(() =>
  import('../features/first-run/first-run.tsx').then(({ FirstRun: component }) => ({ default: component })),
)

/** The views in whose place it stands. */
const GUIDED = ['/', '/stories']

/**
 * Shows the guide in place of a view while there is no task and no story, and until the guide's own task is accepted or
 * the guide is left. Who may not make a project sees the view.
 */
export function FirstRunGate({ children }: { readonly children: ReactNode }) {
  const { may } = useSession()
  const isGuided = GUIDED.includes(useLocation({ select: ({ pathname }) => pathname }))
  const { data: tasks } = useRecords('tasks')
  const { data: stories } = useRecords('stories')
  const [isLeft, setLeft] = useDraft('first-run.left')
  const [taskId, setTaskId] = useDraft('first-run.task')
  const isEmpty = tasks?.length === 0 && stories?.length === 0
  const isUnderWay = taskId !== '' && tasks?.some(({ id }) => id === taskId) === true
  const isShown = isGuided && may('admin') && may('decide') && isLeft === '' && (isEmpty || isUnderWay)
  if (!isShown) return children
  return (
    <Suspense fallback={null}>
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
