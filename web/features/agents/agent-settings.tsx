import { useNavigate } from '@tanstack/react-router'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useSession } from '../../api/session.ts'
import { deleteAgent, updateAgent } from '../../api/setup.ts'
import type { Form } from '../../api/use-form.ts'
import { useForm, useRemoval } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SelectField } from '../../components/fields.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { AgentFields, AgentRest } from './agent-fields.tsx'
import type { AgentForm } from './agent-form.ts'
import { ADAPTERS, AGENT_FIELDS, toAgentEdit, toAgentForm } from './agent-form.ts'
import css from './agents.module.css'
import { ProgramSection } from './program-section.tsx'

/** The edit of an agent; it outlives the tab that shows it. */
export function useAgentEdit(agent: Agent): Form<Agent, AgentForm> {
  return useForm(agent, {
    toForm: toAgentForm,
    fields: AGENT_FIELDS,
    write: async (seen, form: AgentForm) => updateAgent(seen, toAgentEdit(seen, form)),
    onDone: ({ id }) => notify(`Agent ${id} saved`),
  })
}

/** A person who may not change it sees the same fields, and can type in none. */
export function AgentSettings({ edit }: { readonly edit: Form<Agent, AgentForm> }) {
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
      <fieldset disabled={!canEdit} className={css['fields']}>
        <FormSection title="Program and login">
          <SelectField {...of('adapter')} label="Program" options={ADAPTERS} />
          <ProgramSection adapter={form.adapter} />
        </FormSection>
        <AgentFields form={form} onChange={change} errors={errors.byField} />
        <AgentRest form={form} onChange={change} errors={errors.byField} />
      </fieldset>
    </FormPage>
  )
}
