import { Trash2 } from 'lucide-react'
import type { Project, Task } from '../../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../../core/task/transitions.ts'
import { isDeletable } from '../../../core/task/transitions.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ICON } from '../../components/icons.tsx'
import { acceptConsequence } from '../../model/task-words.ts'
import css from './task.module.css'
import type { TaskDecisions } from './use-task-decisions.ts'

interface ActionsProps {
  readonly task: Task
  readonly project: Project | undefined
  readonly decisions: TaskDecisions
  readonly isRejecting: boolean
  readonly onReject: () => void
}

/** The moves that the record allows this person, and what accepting does. */
export function Actions({ task, project, decisions, isRejecting, onReject }: ActionsProps) {
  const canDelete = useSession().may('admin') && isDeletable(task.state)
  const { decide, remove, isPending, review } = decisions
  const may = (action: HumanTrigger): boolean => task.actions.includes(action)
  if (task.actions.length === 0 && !canDelete) return null
  const lines = review.comments.length
  return (
    <div className={css['actions']} role="group" aria-label="Decisions">
      {canDelete && (
        <ConfirmButton
          look="quiet"
          isBusy={isPending}
          question="Delete the task and all its attempts?"
          confirm="Delete"
          onConfirm={remove}
        >
          <Trash2 size={ICON} aria-hidden />
          <span className="unseen">Delete…</span>
        </ConfirmButton>
      )}
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
      {may('run') && (
        <Button
          data-action="run"
          isBusy={isPending}
          look={task.state === 'PENDING' ? 'primary' : 'plain'}
          onClick={() => decide({ action: 'run' })}
        >
          {task.state === 'PENDING' ? 'Run' : 'Start afresh'}
        </Button>
      )}
      {may('resume') && (
        <Button data-action="resume" isBusy={isPending} look="primary" onClick={() => decide({ action: 'resume' })}>
          Resume
        </Button>
      )}
      {may('reject') && !isRejecting && (
        <Button data-action="reject" data-key="r" aria-keyshortcuts="r" isBusy={isPending} onClick={onReject}>
          {lines === 0 ? 'Reject…' : `Reject with ${lines === 1 ? '1 comment' : `${lines} comments`}…`}
        </Button>
      )}
      {may('accept') && (
        <Button
          data-action="accept"
          data-key="a"
          aria-keyshortcuts="a"
          isBusy={isPending}
          look="primary"
          aria-describedby="task-consequence"
          onClick={() => decide({ action: 'accept' })}
        >
          Accept
        </Button>
      )}
      {may('accept') && (
        <p id="task-consequence" className={css['consequence']}>
          {acceptConsequence(task, project)}
        </p>
      )}
    </div>
  )
}
