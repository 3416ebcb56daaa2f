import { useExecutionDiff } from '../../api/diffs.ts'
import { DiffView } from '../../components/diff/diff-view.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { Evidence } from './evidence.tsx'
import css from './task.module.css'
import type { TaskShown } from './shown.ts'

/** What the task changed, with the evidence beside it where there is room. */
export function DiffTab(shown: TaskShown) {
  const { task, attempts, decisions, isWide } = shown
  const { comments, setComments } = decisions.review
  const executionId = reviewedExecution(shown)
  const state = useExecutionDiff(executionId)
  if (executionId === undefined && !attempts.isPending)
    return (
      <EmptyState title="There is no diff yet">What an attempt changes in the repository is shown here.</EmptyState>
    )
  return (
    <div className={css['review']} data-wide={isWide || undefined}>
      <div className={css['diff']}>
        <DiffView
          executionId={executionId ?? task.id}
          state={state}
          comments={comments}
          onCommentsChange={setComments}
          isReadOnly={!task.actions.includes('reject')}
        />
      </div>
      {isWide && (
        <aside className={css['beside']} aria-label="Evidence">
          <Evidence {...shown} />
        </aside>
      )}
    </div>
  )
}

/**
 * The execution whose diff is the task's: the latest that worked and has changed something. A delivery has a diff of the
 * whole branch, which is what the next accept is about where the branch has moved (docs/delivery.md).
 */
function reviewedExecution({ task, attempts: { attempts } }: TaskShown): string | undefined {
  if (task.delivery?.state === 'moved' && task.delivery.execution_id !== undefined) return task.delivery.execution_id
  const ended = attempts.filter(
    ({ execution }) => execution.finished_at !== undefined && execution.purpose !== 'deliver',
  )
  const latest = ended.find(({ execution }) => execution.changes !== undefined) ?? ended[0]
  return latest?.execution.id
}
