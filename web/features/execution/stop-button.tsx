import { Square } from 'lucide-react'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { type TaskDecision, decideTask } from '../../api/decisions.ts'
import { useDecision } from '../../api/use-decision.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { notify, refuse } from '../../components/toast.tsx'

interface StopButtonProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly isLive: boolean
}

/** Stops the run by cancelling its task, for whom the task's record allows that; asks once. */
export function StopButton({ execution, task, isLive }: StopButtonProps) {
  const canStop = isLive && task?.execution_id === execution.id && task.actions.includes('cancel')
  return canStop ? <Stop task={task} /> : null
}

function Stop({ task }: { readonly task: Task }) {
  const { decide, isPending } = useDecision((decision: TaskDecision) => decideTask(task, decision), {
    onDone: (message) => notify(`${task.name}: ${message}`),
    onRefused: refuse,
  })
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
