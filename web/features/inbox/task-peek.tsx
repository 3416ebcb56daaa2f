import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { latestWork } from '../../../core/rest/latest-work.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { countOf, formatSpending, formatTook } from '../../../core/sentences/amounts.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import type { ReviewDraft } from '../../api/task-drafts.ts'
import { ProtectedNote } from '../../components/checks.tsx'
import { DiffView } from '../../components/diff/diff-view.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { ReviewNotes } from '../../components/review-notes.tsx'
import { withFirst } from '../../model/diff-state.ts'
import { canReview } from '../../model/review.ts'
import css from './inbox.module.css'

const LINE_PX = 20
/** What each file has beside its changed lines: its name, and the lines around. */
const AROUND_LINES = 8
const TOOLS_PX = 60

/** As high as the diff needs, within what the style allows. */
function heightOf({ changes }: Task): number | undefined {
  if (changes === undefined) return undefined
  return TOOLS_PX + LINE_PX * (changes.insertions + changes.deletions + AROUND_LINES * changes.files)
}

/** The work of a task without leaving the inbox: what the agent says, what it cost, and the diff that Accept takes. */
export function TaskPeek({ task, review }: { readonly task: Task; readonly review: ReviewDraft }) {
  const work = latestWork(task)
  const diff = useExecutionDiff(work)
  const paths = task.protected_changes?.paths
  const state = useMemo(() => withFirst(diff, paths), [diff, paths])
  const { summary, attempts } = task
  return (
    <>
      <p className={css['meta']}>
        {[
          formatSpending(task.cost_usd, task.budget_usd) ?? 'no cost reported',
          formatTook(task),
          attempts > 1 ? countOf(attempts, 'attempt') : undefined,
        ]
          .filter((part) => part !== undefined)
          .map((part) => (
            <span key={part}>{part}</span>
          ))}
        {work !== undefined && (
          <Link to="/executions/$executionId" params={{ executionId: work }}>
            Conversation and log
          </Link>
        )}
      </p>
      {summary?.trim().includes('\n') === true && <Markdown text={summary} />}
      <ReviewNotes of={task} />
      <ProtectedNote of={task} />
      <div className={css['diff']} style={{ height: heightOf(task) }}>
        <DiffView
          executionId={work ?? task.id}
          state={state}
          comments={review.comments}
          onCommentsChange={review.setComments}
          isReadOnly={!canReview(task)}
        />
      </div>
    </>
  )
}
