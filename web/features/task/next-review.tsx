import type { Task } from '../../../core/rest/client/client.ts'
import { useNavigate } from '@tanstack/react-router'
import { useNextReview } from '../../api/next-review.ts'
import { Button } from '../../components/button.tsx'
import { usePanel } from '../../components/use-panel.ts'

/** Goes to the next task to review, where this one is shown; undefined where no other waits. */
export function useGoToNext(task: Task, isPanel: boolean): (() => void) | undefined {
  const next = useNextReview(task)
  const navigate = useNavigate()
  const { open } = usePanel()
  if (next === undefined) return undefined
  return () =>
    isPanel
      ? open({ kind: 'task', id: next })
      : void navigate({ to: '/tasks/$taskId', params: { taskId: next }, search: {} })
}

/** Goes on to the next task to review. */
export function NextReview({ onNext }: { readonly onNext: () => void }) {
  return (
    <Button look="quiet" data-key="n" aria-keyshortcuts="n" onClick={onNext}>
      Next to review
    </Button>
  )
}
