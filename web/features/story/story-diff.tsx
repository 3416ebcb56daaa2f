import type { Story } from '../../../core/rest/client/client.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { ReadOnlyDiff } from '../../components/diff/diff-view.tsx'
import { ReviewNotes } from '../../components/review-notes.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import css from './story.module.css'

/** All that accepting the story adds to the default branch. */
export function StoryDiff({ story }: { readonly story: Story }) {
  const id = story.review?.execution_id
  const state = useExecutionDiff(id, 'branch')
  if (id === undefined)
    return (
      <EmptyState title="There is no diff yet">What its tasks push to the story’s branch is shown here.</EmptyState>
    )
  return (
    <div className={css['diff']}>
      <ReviewNotes of={story} />
      <ReadOnlyDiff executionId={`${id} with its branch`} state={state} />
    </div>
  )
}
