import { useMemo } from 'react'
import { Button } from '../../components/button.tsx'
import { DiffView } from '../../components/diff/diff-view.tsx'
import { FilterSelect } from '../../components/filter-select.tsx'
import { ProtectedNote } from '../../components/checks.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { EnvironmentNote, ReviewNotes, UndeliveredNote } from '../../components/review-notes.tsx'
import { withFirst } from '../../model/diff-state.ts'
import { VERDICT_WORDS } from '../../model/attempts.ts'
import { canReview } from '../../model/review.ts'
import { AttemptsNote } from './attempts-note.tsx'
import { Evidence } from './evidence.tsx'
import css from './task.module.css'
import { type TaskShown, findLastRun } from './shown.ts'
import type { ShownWork } from './use-shown-work.ts'

const NO_COMMENTS = [] as const

/** What the task changed, with the evidence beside it where there is room. */
export function DiffTab(shown: TaskShown) {
  const { task, attempts, decisions, work, isWide } = shown
  const { comments, setComments, lost, setLost } = decisions.review
  const paths = task.protected_changes?.paths
  const state = useMemo(() => withFirst(work.state, paths), [work.state, paths])
  if (work.id === undefined && !attempts.isPending && attempts.error === undefined)
    return (
      <EmptyState title="There is no diff yet">What an attempt changes in the repository is shown here.</EmptyState>
    )
  // Comments are about lines of the work that a decision takes.
  const isWhole = work.isLatest && work.since === undefined
  return (
    <div className={css['review']} data-wide={isWide || undefined}>
      <div className={css['diff']}>
        {!isWide && <AttemptsNote state={attempts} />}
        <ShownBar work={work} />
        <EnvironmentNote execution={findLastRun(shown)} environments={shown.project?.environments} />
        <UndeliveredNote execution={findLastRun(shown)} />
        {isWhole && <ReviewNotes of={task} />}
        {isWhole && <ProtectedNote of={task} />}
        <DiffView
          executionId={work.id ?? task.id}
          state={state}
          comments={isWhole ? comments : NO_COMMENTS}
          onCommentsChange={setComments}
          lost={lost}
          onLostChange={setLost}
          isReadOnly={!isWhole || !canReview(task)}
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

/** Which attempt is shown, and since when; nothing while there is but one. */
function ShownBar({ work }: { readonly work: ShownWork }) {
  const { pickable, latest, picked, since, lookedAt, pick, compareSince } = work
  if (pickable.length < 2) return null
  const options = pickable.map(({ name, execution, verdict }) => ({
    id: execution.id,
    name: verdict === undefined ? name : `${name}, ${VERDICT_WORDS[verdict.action]}`,
  }))
  const shown = options.findIndex(({ id }) => id === (picked ?? latest))
  return (
    <div className={css['shown']}>
      <FilterSelect
        label="Work of"
        none={`${options.find(({ id }) => id === latest)?.name ?? 'the latest attempt'}, latest`}
        value={picked}
        options={options.filter(({ id }) => id !== latest)}
        onChange={pick}
      />
      {shown < options.length - 1 && (
        <FilterSelect
          label="Changes since"
          none="its base"
          value={since}
          options={options.slice(shown + 1).map(({ id }, n) => ({ id, name: pickable[shown + 1 + n]?.name ?? id }))}
          onChange={compareSince}
        />
      )}
      {lookedAt !== undefined && picked === undefined && since !== lookedAt.execution.id && (
        <Button isSmall look="quiet" onClick={() => compareSince(lookedAt.execution.id)}>
          Changes since you last looked ({lookedAt.name})
        </Button>
      )}
      {since !== undefined && (
        <span className={css['hint']}>Comments are written beside the changes since its base.</span>
      )}
    </div>
  )
}
