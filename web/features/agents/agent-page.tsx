import { Link, useParams, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useManifest } from '../../api/kubernetes.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useAgentHistory, deleteAgent, updateAgent } from '../../api/setup.ts'
import { type Form, useForm, useRemoval } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SelectField } from '../../components/fields.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { AgentFields, AgentRest } from './agent-fields.tsx'
import { type AgentForm, ADAPTERS, AGENT_FIELDS, toAgentEdit, toAgentForm } from './agent-form.ts'
import { AgentRow } from './agent-row.tsx'
import css from './agents.module.css'
import { ProgramSection } from './program-section.tsx'

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

/** The edit of an agent; it outlives the tab that shows it. */
function useAgentEdit(agent: Agent): Form<Agent, AgentForm> {
  return useForm(agent, {
    toForm: toAgentForm,
    fields: AGENT_FIELDS,
    write: async (seen, form: AgentForm) => updateAgent(seen, toAgentEdit(seen, form)),
    onDone: ({ id }) => notify(`Agent ${id} saved`),
  })
}

/** A person who may not change it sees the same fields, and can type in none. */
function AgentSettings({ edit }: { readonly edit: Form<Agent, AgentForm> }) {
  const { form, change, errors, of } = edit
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  const removal = useRemoval(edit.seen, {
    remove: deleteAgent,
    onDone: () => {
      notify(`Agent ${edit.seen.id} deleted`)
      void navigate({ to: '/agents', ignoreBlocker: true })
    },
    onRefused: refuse,
  })
  return (
    <FormPage
      onSubmit={edit.save}
      errors={errors}
      isLocked={!canEdit}
      aside={<AgentFields form={form} onChange={change} errors={errors.byField} />}
      actions={
        canEdit && (
          <>
            <Button look="primary" type="submit" isBusy={edit.isPending}>
              Save
            </Button>
            <ConfirmButton
              look="danger"
              question="Delete this agent?"
              confirm="Delete the agent"
              again={removal.changed}
              isBusy={removal.isPending}
              onConfirm={removal.remove}
            >
              Delete…
            </ConfirmButton>
          </>
        )
      }
    >
      <FormError text={errors.rest} />
      <FormSection title="Program and login">
        <SelectField {...of('adapter')} label="Program" options={ADAPTERS} />
        <ProgramSection adapter={form.adapter} />
      </FormSection>
      <AgentRest form={form} onChange={change} errors={errors.byField} />
    </FormPage>
  )
}
