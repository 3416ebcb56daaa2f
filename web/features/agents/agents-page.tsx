import { useNavigate } from '@tanstack/react-router'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useAgentHistory } from '../../api/setup.ts'
import { Button } from '../../components/button.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { AgentRow } from './agent-row.tsx'
import css from './agents.module.css'

/** The view at /agents: who can work, who works, and who does not and why. */
export function AgentsPage() {
  const { data: agents, error, isPending, refetch } = useRecords('agents')
  const { data: history } = useAgentHistory()
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  const add = canEdit && (
    <Button isSmall onClick={() => void navigate({ to: '/agents/new' })}>
      Add an agent
    </Button>
  )
  return (
    <>
      <ViewHeader title="Agents">
        <span data-about>who works, and who does not and why</span>
        <Legend />
        <span data-end>{agents !== undefined && agents.length > 0 && add}</span>
      </ViewHeader>
      {isPending && <Skeleton rows={3} label="The agents are being read" />}
      {agents === undefined && error !== null && (
        <ErrorState title="The agents could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {agents?.length === 0 && (
        <EmptyState title="No agent yet" action={add}>
          An agent is a program that does tasks: which one, how it logs in, which models and tools it may use, and how
          many tasks it takes at a time.
        </EmptyState>
      )}
      {agents !== undefined && agents.length > 0 && (
        <ul className={css['list']}>
          {agents
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .map((agent) => (
              <AgentRow key={agent.id} agent={agent} history={history} />
            ))}
        </ul>
      )}
    </>
  )
}

function Legend() {
  return (
    <span className={css['legend']} aria-hidden>
      <i data-kind="busy" /> at work <i data-kind="limited" /> limited <i data-kind="drained" /> drained
    </span>
  )
}
