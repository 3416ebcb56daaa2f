import type { Agent } from '../../../core/rest/client/client.ts'
import { countOf } from '../../../core/sentences/amounts.ts'
import { undrainAgent } from '../../api/decisions.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { telling } from '../../components/toast.tsx'
import { Item } from './item.tsx'

/** An agent that takes no work until a person acts. */
export function AgentItem({ agent }: { readonly agent: Agent }) {
  const { status } = agent
  const { decide, isPending } = useDecision(() => undrainAgent(agent), telling(agent.name))
  return (
    <Item
      words={{ tone: 'fail', icon: 'pause', text: 'Drained' }}
      title={`${agent.name} is drained`}
      to={`/agents/${encodeURIComponent(agent.id)}`}
      meta={[
        status.consecutive_failures > 0 && `${status.consecutive_failures} failures in a row`,
        status.queued > 0 && `${countOf(status.queued, 'task waits', 'tasks wait')} behind it`,
      ]}
      actions={
        <Button isSmall isBusy={isPending} onClick={() => decide(undefined)}>
          Undrain
        </Button>
      }
    >
      {status.reason}
    </Item>
  )
}
