import { countOf } from '../../../core/sentences/amounts.ts'
import { Trash2 } from 'lucide-react'
import type { Task } from '../../../core/rest/client/client.ts'
import { type HumanTrigger, isDeletable, isEditOffered } from '../../../core/task/transitions.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useSession } from '../../api/session.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ICON } from '../../components/icons.tsx'
import { RestartButtons } from '../../components/restart-buttons.tsx'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { workName } from '../../model/reviewed.ts'
import css from './task.module.css'
import type { RejectFormState } from './use-reject-form.ts'
import type { ShownWork } from './use-shown-work.ts'
import type { TaskDecisions } from './use-task-decisions.ts'

interface ActionsProps {
  readonly task: Task
  readonly decisions: TaskDecisions
  /** What is shown of the work, which Accept may not fit. */
  readonly work: ShownWork
  readonly rejection: RejectFormState
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

function Decisions({ task, decisions, work, rejection }: ActionsProps) {
  const session = useSession()
  const canDelete = session.may('admin') && isDeletable(task.state)
  const canEdit = session.may('decide') && isEditOffered(task.state)
  const { decide, remove, isPending, review } = decisions
  const may = (action: HumanTrigger): boolean => task.actions.includes(action)
  if (task.actions.length === 0 && !canDelete && !canEdit) return null
  const lines = review.comments.length
  return (
    <div className={css['actions']} role="group" aria-label="Decisions" tabIndex={-1} data-decisions>
      {canDelete && <DeleteButton isBusy={isPending} onDelete={remove} />}
      {may('cancel') && (
        <ConfirmButton
          isBusy={isPending}
          question="Cancel the task?"
          confirm="Cancel it"
          decline="Go on"
          onConfirm={() => decide({ action: 'cancel' })}
        >
          Cancel…
        </ConfirmButton>
      )}
      <RestartButtons task={task} mayEdit={canEdit} isPending={isPending} onDecide={decide} />
      {may('reject') && !rejection.isOpen && (
        <Button
          data-key="r"
          aria-keyshortcuts="r"
          isBusy={isPending}
          autoFocus={rejection.isClosed}
          onClick={rejection.open}
        >
          {lines === 0 ? 'Reject…' : `Reject with ${countOf(lines, 'comment')}…`}
        </Button>
      )}
      {may('accept') && (
        <Accept task={task} work={work} isPending={isPending} onAccept={() => decide({ action: 'accept' })} />
      )}
    </div>
  )
}

interface AcceptProps {
  readonly task: Task
  readonly work: ShownWork
  readonly isPending: boolean
  readonly onAccept: () => void
}

/** Accept with what it does, or with why it is off and the way on. */
function Accept({ task, work, isPending, onAccept }: AcceptProps) {
  const project = useProjectOf(task.project)
  const { problem, isLatest, pick, pickable, latest } = work
  return (
    <>
      <Button
        data-key="a"
        aria-keyshortcuts="a"
        isBusy={isPending}
        look="primary"
        aria-describedby="task-consequence"
        disabled={problem !== undefined || !project.isKnown}
        onClick={onAccept}
      >
        Accept
      </Button>
      <p
        id="task-consequence"
        className={css['consequence']}
        data-problem={problem !== undefined || !project.isKnown || undefined}
      >
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

function DeleteButton({ isBusy, onDelete }: { readonly isBusy: boolean; readonly onDelete: () => void }) {
  return (
    <ConfirmButton
      look="quiet"
      isBusy={isBusy}
      question="Delete the task and all its attempts?"
      confirm="Delete"
      onConfirm={onDelete}
    >
      <Trash2 size={ICON} aria-hidden />
      <span className="unseen">Delete…</span>
    </ConfirmButton>
  )
}
