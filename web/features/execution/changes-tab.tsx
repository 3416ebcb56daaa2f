import type { Execution } from '../../../core/rest/client/client.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { DiffView } from '../../components/diff/diff-view.tsx'
import { UndeliveredNote } from '../../components/undelivered-note.tsx'
import css from './execution.module.css'

interface ChangesTabProps {
  readonly execution: Execution
  readonly isLive: boolean
}

const NO_COMMENTS = [] as const

/** What the run changed in the repository. Comments belong to the decision, on the page of the task. */
export function ChangesTab({ execution, isLive }: ChangesTabProps) {
  const state = useExecutionDiff(isLive || execution.changes === undefined ? undefined : execution.id)
  return (
    <div className={css['changes']}>
      <UndeliveredNote execution={execution} />
      <DiffView
        executionId={execution.id}
        state={state}
        comments={NO_COMMENTS}
        onCommentsChange={() => undefined}
        isReadOnly
      />
    </div>
  )
}
