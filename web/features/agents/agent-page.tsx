import { Link, useParams, useNavigate } from '@tanstack/react-router'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useManifest } from '../../api/kubernetes.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useAgentHistory, deleteAgent, updateAgent } from '../../api/setup.ts'
import { type Form, useForm, useRemoval } from '../../api/use-form.ts'
import { SelectField } from '../../components/fields.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { ReadPart } from '../../components/read-part.tsx'
import { SettingsButtons, SettingsTabs, SettingsYaml } from '../../components/settings-page.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { toReading } from '../../model/reading.ts'
import { AgentFields, AgentRest } from './agent-fields.tsx'
import { type AgentForm, ADAPTERS, AGENT_FIELDS, toAgentEdit, toAgentForm } from './agent-form.ts'
import { AgentRow } from './agent-row.tsx'
import css from './agents.module.css'
import { ProgramSection } from './program-section.tsx'

/** The view at /agents/{id}: what it does now, its settings, and the resource behind it. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' })
  const agents = toReading(useRecords('agents'))
  const agent = agents.data?.find(({ id }) => id === agentId)
  return (
    <>
      <ViewHeader title={agentId}>
        <Link to="/agents">All agents</Link>
      </ViewHeader>
      <ReadPart what="The agent" reading={agents} rows={4}>
        {() =>
          agent === undefined ? (
            <EmptyState title="There is no such agent" action={<Link to="/agents">To all agents</Link>}>
              No agent is called {agentId}. It may have been deleted.
            </EmptyState>
          ) : (
            <Parts key={agent.id} agent={agent} />
          )
        }
      </ReadPart>
    </>
  )
}

/** What was typed stays while another tab is open. */
function Parts({ agent }: { readonly agent: Agent }) {
  const edit = useAgentEdit(agent)
  const { data: history } = useAgentHistory()
  return (
    <>
      <ul className={css['now']}>
        <AgentRow agent={agent} history={history} />
      </ul>
      <SettingsTabs noun="agent" settings={<AgentSettings edit={edit} />} yaml={<Yaml agent={agent} />} />
    </>
  )
}

function Yaml({ agent }: { readonly agent: Agent }) {
  return <SettingsYaml noun="agent" reading={useManifest({ kind: 'agent', id: agent.id, version: agent })} />
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
          <SettingsButtons noun="agent" isSaving={edit.isPending} question="Delete this agent?" removal={removal} />
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
