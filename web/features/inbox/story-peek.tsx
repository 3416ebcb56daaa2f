import type { Story } from '../../../core/rest/client/client.ts'
import { formatCost } from '../../../core/sentences/amounts.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { useNumber } from '../../api/queries.ts'
import { CriteriaList } from '../../components/criteria-list.tsx'
import { ReadOnlyDiff } from '../../components/diff/diff-view.tsx'
import { ReviewNotes } from '../../components/review-notes.tsx'
import { sumOf } from '../../model/sum.ts'
import css from './inbox.module.css'

/** A story without leaving the inbox: its criteria with their verdicts, what it cost, and all that accepting it adds. */
export function StoryPeek({ story }: { readonly story: Story }) {
  const work = story.review?.execution_id
  const diff = useExecutionDiff(work, 'branch')
  const costUSD = useNumber('tasks', (tasks) =>
    sumOf(
      tasks.filter(({ story_id }) => story_id === story.id),
      ({ cost_usd }) => cost_usd,
    ),
  )
  return (
    <>
      <p className={css['meta']}>{formatCost(costUSD) ?? 'no cost reported'}</p>
      <CriteriaList story={story} />
      <ReviewNotes of={story} />
      <div className={css['diff']} style={{ height: '60vh' }}>
        <ReadOnlyDiff executionId={`${work ?? story.id} with its branch`} state={diff} />
      </div>
    </>
  )
}
