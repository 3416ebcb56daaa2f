import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRecords } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useAgentHistory, useSetupManifest } from '../../api/setup.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { AgentRow } from './agent-row.tsx'
import { AgentSettings } from './agent-settings.tsx'
import css from './agents.module.css'
import { stripOf } from './strip.ts'

/** The view at /agents/{id}: what it does now, its settings, and the resource behind it. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' })
  const { data: agents, error, refetch } = useRecords('agents')
  const { data: history } = useAgentHistory()
  const nowMs = useServerTime(1_000)
  const [tab, setTab] = useState<'settings' | 'yaml'>('settings')
  const agent = agents?.find(({ id }) => id === agentId)
  return (
    <>
      <ViewHeader title={agentId}>
        <Link to="/agents">All agents</Link>
      </ViewHeader>
      {agents === undefined && error === null && <Skeleton rows={4} label="The agent is being read" />}
      {agents === undefined && error !== null && (
        <ErrorState title="The agent could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {agents !== undefined && agent === undefined && (
        <EmptyState title="There is no such agent" action={<Link to="/agents">To all agents</Link>}>
          No agent is called {agentId}. It may have been deleted.
        </EmptyState>
      )}
      {agent !== undefined && (
        <div className={css['page']}>
          <ul className={css['now']}>
            <AgentRow
              agent={agent}
              nowMs={nowMs}
              strip={history === undefined ? undefined : stripOf(agent.id, history, nowMs)}
            />
          </ul>
          <Tabs
            label="Parts of the agent"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'settings', label: 'Settings', content: <AgentSettings key={agent.id} agent={agent} /> },
              { id: 'yaml', label: 'YAML', content: <Yaml id={agent.id} /> },
            ]}
          />
        </div>
      )}
    </>
  )
}

function Yaml({ id }: { readonly id: string }) {
  const { data, error, refetch } = useSetupManifest('agent', id)
  if (error !== null)
    return <ErrorState title="The YAML could not be read" error={error} onRetry={() => void refetch()} />
  return (
    <div className={css['yaml']}>
      {data === undefined ? (
        <Skeleton rows={4} label="The YAML is being read" />
      ) : (
        <CodeBlock text={data} label="YAML of the agent" />
      )}
    </div>
  )
}
