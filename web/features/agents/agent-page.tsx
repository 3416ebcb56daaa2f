import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useManifest } from '../../api/kubernetes.ts'
import { useRecords } from '../../api/queries.ts'
import { useAgentHistory } from '../../api/setup.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { AgentRow } from './agent-row.tsx'
import { AgentSettings, useAgentEdit } from './agent-settings.tsx'
import css from './agents.module.css'

/** The view at /agents/{id}: what it does now, its settings, and the resource behind it. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' })
  const { data: agents, error, refetch } = useRecords('agents')
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
      {agent !== undefined && <Parts key={agent.id} agent={agent} />}
    </>
  )
}

/** What was typed stays while another tab is open. */
function Parts({ agent }: { readonly agent: Agent }) {
  const [tab, setTab] = useState<'settings' | 'yaml'>('settings')
  const edit = useAgentEdit(agent)
  const { data: history } = useAgentHistory()
  return (
    <div className={css['page']}>
      <ul className={css['now']}>
        <AgentRow agent={agent} history={history} />
      </ul>
      <Tabs
        label="Parts of the agent"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'settings', label: 'Settings', content: <AgentSettings edit={edit} /> },
          { id: 'yaml', label: 'YAML', content: <Yaml agent={agent} /> },
        ]}
      />
    </div>
  )
}

function Yaml({ agent }: { readonly agent: Agent }) {
  const { data, error, refetch } = useManifest({ kind: 'agent', id: agent.id, version: agent })
  const reading = { data, error: error ?? undefined, retry: () => void refetch() }
  return (
    <div className={css['yaml']}>
      <ReadAgainPart what="The YAML" reading={reading} rows={4}>
        {(manifest) => <CodeBlock text={manifest} label="YAML of the agent" />}
      </ReadAgainPart>
    </div>
  )
}
