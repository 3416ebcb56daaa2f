import type { Task } from '../../../core/rest/client/client.ts'
import { type HumanTrigger, isDeletable, isEditOffered } from '../../../core/task/transitions.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useSession } from '../../api/session.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { CancelButton, RestartButtons } from '../../components/restart-buttons.tsx'
import { ReviewButtons } from '../../components/review-buttons.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { filled } from '../../model/patch.ts'
import { workName } from '../../model/reviewed.ts'
import { WaiveButton } from '../../components/waive-button.tsx'
import { DeleteButton } from './delete-button.tsx'
import { NextReview, useGoToNext } from './next-review.tsx'
import { ReviewFacts } from './review-facts.tsx'
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
  if (held !== undefined)
    return (
      <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
        {onNext !== undefined && <NextReview onNext={onNext} />}
        <DecidingNote {...held} />
      </div>
    )
  return (
    <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
      {onNext !== undefined && <NextReview onNext={onNext} />}
      {canDelete && <DeleteButton isBusy={isPending} onDelete={remove} />}
      {canBuildOn && <NowAlso task={task} />}
      <CancelButton task={task} isPending={isPending} onDecide={decide} />
      <WaiveButton task={task} by={session.name} isPending={isPending} onWaive={decide} />
      <RestartButtons task={task} mayEdit={canEdit} isPending={isPending} onDecide={decide} />
      {!form.isOpen && (
        <ReviewButtons
          {...{ task, canRun, isPending }}
          lines={review.comments.length}
          isBack={form.isClosed}
          onOpen={form.open}
        />
      )}
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

/** More of the same: a new task whose agent goes on from this one, in a copy of its session where that can be had. */
function NowAlso({ task: { id, project, story_id, agent } }: { readonly task: Task }) {
  const search = filled({ continues: id, project, story: story_id, agent: agent?.type })
  return (
    <LinkButton to="/tasks/new" isSmall={false} search={search}>
      Now also…
    </LinkButton>
  )
}

interface AcceptProps {
  readonly task: Task
  readonly work: ShownWork
  readonly isPending: boolean
  readonly onAccept: () => void
  /** Goes to the next task to review; undefined where there is none. */
  readonly onNext: (() => void) | undefined
}

/** Accept with what it does, and what speaks for the work or against it; or with why it is off and the way on. */
function Accept({ task, work, isPending, onAccept, onNext }: AcceptProps) {
  const project = useProjectOf(task.project)
  const { problem, isLatest, pick, pickable, latest } = work
  const isOff = problem !== undefined || !project.isKnown
  return (
    <>
      {onNext !== undefined && (
        <Button
          data-key="A"
          aria-keyshortcuts="Shift+A"
          isBusy={isPending}
          aria-describedby="task-consequence"
          disabled={isOff}
          onClick={() => {
            onAccept()
            onNext()
          }}
        >
          Accept and next
        </Button>
      )}
      <Button
        data-key="a"
        data-action="accept"
        aria-keyshortcuts="a"
        isBusy={isPending}
        look="primary"
        aria-describedby="task-consequence"
        disabled={isOff}
        onClick={onAccept}
      >
        Accept
      </Button>
      <ReviewFacts task={task} />
      <p id="task-consequence" className={css['consequence']} data-problem={isOff || undefined}>
        {problem ?? <AcceptConsequence project={project} effectOf={(known) => acceptEffect(task, known)} />}{' '}
        {problem !== undefined && !isLatest && (
          <Button isSmall onClick={() => pick(undefined)}>
            Show {workName(pickable, latest)}
          </Button>
        )}
      </p>
    </>
  )
}
