import type { Agent } from '../../../core/rest/client/client.ts'
import { undrainAgent } from '../../api/decisions.ts'
import { useSession } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { notify, refuse } from '../../components/toast.tsx'

/** Lets a drained or limited agent take work again; nothing for others, nor for who may not. */
export function UndrainButton({ agent }: { readonly agent: Agent }) {
  const canUndrain = useSession().may('admin')
  const { decide, isPending } = useDecision(() => undrainAgent(agent), {
    onDone: (message) => notify(`${agent.id}: ${message}`),
    onRefused: refuse,
  })
  const { state } = agent.status
  if (!canUndrain || (state !== 'drained' && state !== 'rate_limited')) return null
  return (
    <Button isSmall isBusy={isPending} onClick={() => decide(undefined)}>
      {state === 'drained' ? 'Undrain' : 'End the limit'}
    </Button>
  )
}
