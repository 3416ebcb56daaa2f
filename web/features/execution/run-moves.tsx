import { Square } from 'lucide-react'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useSession } from '../../api/session.ts'
import { useTaskDecision } from '../../api/use-decision.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { RestartButtons, ResumeButton } from '../../components/restart-buttons.tsx'
import { telling } from '../../components/toast.tsx'
import { WaiveButton } from '../../components/waive-button.tsx'
import { hasFailed } from '../../model/failed-run.ts'
import css from './execution.module.css'

interface RunMovesProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly isLive: boolean
}

/** What may be done about the run that its task stands for: stop it, or go on after it failed. */
export function RunMoves({ execution, task, isLive }: RunMovesProps) {
  if (task?.execution_id !== execution.id) return null
  if (isLive) return task.actions.includes('cancel') ? <Moves task={task} isLive /> : null
  return hasFailed(execution) ? <Moves task={task} isLive={false} /> : null
}

function Moves({ task, isLive }: { readonly task: Task; readonly isLive: boolean }) {
  const { may, name } = useSession()
  const { decide, isPending } = useTaskDecision(task, telling(task.name))
  if (!isLive)
    return (
      <div className={css['moves']} role="group" aria-label="Decisions">
        <WaiveButton task={task} by={name} isPending={isPending} onWaive={decide} />
        <RestartButtons task={task} mayEdit={may('decide')} isPending={isPending} onDecide={decide} />
        <ResumeButton task={task} isPending={isPending} onDecide={decide} />
      </div>
    )
  return (
    <ConfirmButton
      look="danger"
      question="Stop the agent and cancel the task?"
      confirm="Stop it"
      decline="Let it go on"
      isBusy={isPending}
      onConfirm={() => decide({ action: 'cancel' })}
    >
      <Square size={SMALL_ICON} aria-hidden />
      Stop…
    </ConfirmButton>
  )
}
