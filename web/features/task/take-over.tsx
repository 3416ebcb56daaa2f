import type { Task } from '../../../core/rest/client/client.ts'
import { CHECKOUT_STATES } from '../../../core/task/take-over.ts'
import { typedCheckout, typedHandback } from '../../../core/typed-commands.ts'
import { useSession } from '../../api/session.ts'
import { releaseTask } from '../../api/task-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { telling } from '../../components/toast.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { Fact } from './fact.tsx'

/** Who goes on with the work by hand, or the command that takes it over. */
export function TakeOver({ task }: { readonly task: Task }) {
  const { id, state, checked_out: held, execution_id, archived_at } = task
  const { name, may } = useSession()
  const canDecide = may('decide')
  const release = useDecision(() => releaseTask(task), telling(task.name))
  if (held !== undefined)
    return (
      <Fact label="By hand">
        checked out by {showUnseen(held.by)} <TimeAgo at={held.at} />{' '}
        {canDecide && held.by === name && <Typed text={typedHandback(id)} />}{' '}
        {canDecide && (
          <Button isSmall isBusy={release.isPending} onClick={() => release.decide(undefined)}>
            Release
          </Button>
        )}
      </Fact>
    )
  const isTakeable = execution_id !== undefined && CHECKOUT_STATES.some((takeable) => takeable === state)
  if (!canDecide || !isTakeable || archived_at !== undefined) return null
  return (
    <Fact label="By hand">
      <Typed text={typedCheckout(id)} />
    </Fact>
  )
}

function Typed({ text }: { readonly text: string }) {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} label="Copy the command" isIconOnly />
    </>
  )
}
