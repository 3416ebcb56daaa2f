import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agent } from '../../../core/rest/client/client.ts'
import { useSession } from '../../api/session.ts'
import { deleteAgent, updateAgent, useSave } from '../../api/setup.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Field, Select } from '../../components/form.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { AgentFields, AgentRest } from './agent-fields.tsx'
import type { AgentForm } from './agent-form.ts'
import { ADAPTERS, AGENT_FIELDS, toAgentEdit, toAgentForm } from './agent-form.ts'
import css from './agents.module.css'
import { ProgramSection } from './program-section.tsx'

/** A person who may not change it sees the same fields, and can type in none. */
export function AgentSettings({ agent }: { readonly agent: Agent }) {
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  // What the form was made from: what others change meanwhile is not taken for a change of this person.
  const [base, setBase] = useState(agent)
  const [form, setForm] = useState(() => toAgentForm(base))
  const change = (changed: Partial<AgentForm>): void => setForm((before) => ({ ...before, ...changed }))
  const { save, isPending, errors } = useSave(
    async (typed: AgentForm) => updateAgent(agent.id, toAgentEdit(base, typed)),
    {
      fields: AGENT_FIELDS,
      onDone: (saved) => {
        setBase(saved)
        setForm(toAgentForm(saved))
        notify(`Agent ${saved.id} saved`)
      },
    },
  )
  const remove = useDecision(() => deleteAgent(agent.id).then(() => `Agent ${agent.id} deleted`), {
    onDone: (message) => {
      notify(message)
      void navigate({ to: '/agents' })
    },
    onRefused: refuse,
  })
  return (
    <FormPage
      onSubmit={() => save(form)}
      actions={
        canEdit && (
          <>
            <Button look="primary" type="submit" isBusy={isPending}>
              Save
            </Button>
            <ConfirmButton
              look="danger"
              question="Delete this agent?"
              confirm="Delete the agent"
              isBusy={remove.isPending}
              onConfirm={() => remove.decide(undefined)}
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
          <Field label="Program" name="adapter" error={errors.byField.get('adapter')}>
            <Select value={form.adapter} options={ADAPTERS} onChange={(adapter) => change({ adapter })} />
          </Field>
          <ProgramSection adapter={form.adapter} />
        </FormSection>
        <AgentFields form={form} onChange={change} errors={errors.byField} />
        <AgentRest form={form} onChange={change} errors={errors.byField} />
      </fieldset>
    </FormPage>
  )
}
