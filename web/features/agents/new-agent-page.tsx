import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { createAgent } from '../../api/setup.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { notify } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { NoPermission } from '../../components/view-states.tsx'
import { AgentFields, AgentRest } from './agent-fields.tsx'
import { type AgentForm, ADAPTERS, AGENT_FIELDS, toAgentForm, toAgentInput } from './agent-form.ts'
import { ProgramSection } from './program-section.tsx'

/** The view at /agents/new. */
export function NewAgentPage() {
  const { may, name } = useSession()
  const navigate = useNavigate()
  const { form, of, change, save, isPending, errors } = useForm(undefined, {
    toForm: () => toAgentForm(),
    fields: AGENT_FIELDS,
    write: async (_none, typed: AgentForm) => createAgent({ id: typed.id.trim(), ...toAgentInput(typed) }),
    onDone: (agent) => {
      notify(`Agent ${agent.id} created`)
      void navigate({ to: '/agents/$agentId', params: { agentId: agent.id } })
    },
  })
  return (
    <>
      <ViewHeader title="Add an agent" />
      {!may('admin') ? (
        <NoPermission scope="admin" name={name} />
      ) : (
        <FormPage
          onSubmit={save}
          errors={errors}
          aside={<AgentFields form={form} onChange={change} errors={errors.byField} />}
          actions={
            <>
              <Button look="primary" type="submit" isBusy={isPending}>
                Create the agent
              </Button>
              <Button look="quiet" onClick={() => void navigate({ to: '/agents', ignoreBlocker: true })}>
                Cancel
              </Button>
            </>
          }
        >
          <FormError text={errors.rest} />
          <FormSection title="Agent">
            <TextField
              {...of('id')}
              label="Name"
              hint="Tasks name it. Lower-case letters, digits and -; it stays."
              isCode
              autoFocus
            />
            <SelectField {...of('adapter')} label="Program" options={ADAPTERS} />
            <ProgramSection adapter={form.adapter} />
          </FormSection>
          <AgentRest form={form} onChange={change} errors={errors.byField} />
        </FormPage>
      )}
    </>
  )
}
