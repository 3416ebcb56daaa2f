import { MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { type HumanTrigger, isDeletable, isEditOffered } from '../../../core/task/transitions.ts'
import { useSession } from '../../api/session.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { ICON } from '../../components/icons.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { CancelButton, RestartButtons, ResumeButton } from '../../components/restart-buttons.tsx'
import { RejectButton, ReviseButton } from '../../components/review-buttons.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { filled } from '../../model/patch.ts'
import { WaiveButton } from '../../components/waive-button.tsx'
import { Accept } from './accept.tsx'
import { DeleteButton } from './delete-button.tsx'
import { NextReview, useGoToNext } from './next-review.tsx'
import css from './task.module.css'
import type { ReviewFormState } from './use-review-form.ts'
import type { ShownWork } from './use-shown-work.ts'
import type { TaskDecisions } from './use-task-decisions.ts'

interface ActionsProps {
  readonly task: Task
  readonly decisions: TaskDecisions
  /** What is shown of the work, which Accept may not fit. */
  readonly work: ShownWork
  /** Whether rejected work can be run again at once. */
  readonly canRun: boolean
  readonly form: ReviewFormState
  readonly isPanel: boolean
}

/** The moves that the record allows this person, and what accepting does. */
export function Actions(props: ActionsProps) {
  return props.task.archived_at === undefined ? <Decisions {...props} /> : <Restore {...props} />
}

function Restore({ decisions: { restore, isPending } }: ActionsProps) {
  const session = useSession()
  if (!session.may('admin')) return null
  return (
    <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
      <Button isBusy={isPending} onClick={restore}>
        Restore
      </Button>
    </div>
  )
}

function Decisions({ task, decisions, work, canRun, form, isPanel }: ActionsProps) {
  const session = useSession()
  const canDelete = session.may('admin') && isDeletable(task.state)
  const canEdit = session.may('decide') && isEditOffered(task.state)
  const isNarrow = useNarrow()
  const { decide, remove, isPending, held, review } = decisions
  const may = (action: HumanTrigger): boolean => task.actions.includes(action)
  const canBuildOn = session.may('decide') && task.state === 'COMPLETED'
  const goToNext = useGoToNext(task, isPanel)
  // Beside work that is reviewed, or was a moment ago.
  const onNext = task.state === 'READY' || decisions.isDecided || held !== undefined ? goToNext : undefined
  if (task.actions.length === 0 && !canDelete && !canEdit && !canBuildOn) return null
  const toReview = {
    task,
    canRun,
    isPending,
    lines: review.comments.length,
    isBack: form.isClosed,
    onOpen: form.open,
  }
  if (held !== undefined)
    return (
      <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
        {onNext !== undefined && <NextReview onNext={onNext} />}
        <DecidingNote {...held} />
      </div>
    )
  return (
    <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
      <Seldom isFolded={may('accept') || (isNarrow && may('waive'))}>
        {onNext !== undefined && <NextReview onNext={onNext} />}
        {canDelete && (
          <DeleteButton isDelivering={task.delivery?.state === 'pending'} isBusy={isPending} onDelete={remove} />
        )}
        {canBuildOn && <NowAlso task={task} />}
        <CancelButton task={task} isPending={isPending} onDecide={decide} />
        <WaiveButton task={task} by={session.name} isPending={isPending} onWaive={decide} />
        <RestartButtons task={task} mayEdit={canEdit} isPending={isPending} onDecide={decide} />
        {!form.isOpen && may('revise') && <RejectButton {...toReview} />}
      </Seldom>
      <ResumeButton task={task} isPending={isPending} onDecide={decide} />
      {!form.isOpen && !may('revise') && <RejectButton {...toReview} />}
      {!form.isOpen && <ReviseButton {...toReview} />}
      {/* On a phone it would be under the thumb that sends the work back. */}
      {may('accept') && !(isNarrow && form.isOpen) && (
        <Accept
          task={task}
          work={work}
          isPending={isPending}
          onAccept={() => decide({ action: 'accept' })}
          onNext={goToNext}
        />
      )}
    </div>
  )
}

/** What is seldom done where work waits for a decision is behind a button, so that one row holds the others; its keys count all the same. */
function Seldom({ isFolded, children }: { readonly isFolded: boolean; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className={css['seldom']} hidden={isFolded && !isOpen}>
        {children}
      </div>
      {isFolded && (
        <Button
          look="quiet"
          title="More"
          aria-label="More"
          aria-expanded={isOpen}
          data-more
          onClick={() => setOpen(!isOpen)}
        >
          <MoreHorizontal size={ICON} aria-hidden />
        </Button>
      )}
    </>
  )
}

/** More of the same: a new task whose agent goes on from this one, in a copy of its session where that can be had. */
function NowAlso({ task: { id, project, story_id, agent } }: { readonly task: Task }) {
  const search = filled({ continues: id, project, story: story_id, agent: agent?.type })
  return (
    <LinkButton to="/tasks/new" isSmall={false} search={search}>
      Now also…
    </LinkButton>
  )
}
