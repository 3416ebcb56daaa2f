import { useRecords } from '../../api/queries.ts'
import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair, FormSection } from '../../components/form-parts.tsx'
import { type FormPart, bindFields } from '../../model/bind-fields.ts'
import { type TaskForm, ADVANCED_FIELDS } from './task-form.ts'

/** What few tasks need to say; opens where the server refuses one of its fields. */
export function TaskRest({ isOpen = false, ...part }: FormPart<TaskForm> & { readonly isOpen?: boolean }) {
  const of = bindFields(part)
  const { form, onChange, errors } = part
  const { data: agents = [] } = useRecords('agents')
  const agent = agents.find(({ id }) => id === form.agent)
  const hidden = [...ADVANCED_FIELDS, 'agent.model', 'agent.allowed_tools']
  const isRefused = hidden.some((name) => errors.has(name))
  return (
    <FormSection key={String(isRefused)} title="Budget, limits and the rest" isFolded={!isRefused && !isOpen}>
      <FieldPair>
        <Limits {...part} />
        <SelectField
          {...of('run_policy')}
          label="When what it waits for is finished"
          options={[
            { value: 'manual', label: 'wait until somebody runs it' },
            { value: 'auto', label: 'run by itself' },
          ]}
        />
        <TextField
          {...of('model', 'agent.model')}
          label="Model"
          isOptional
          isCode
          placeholder={agent?.default_model ?? 'the agent’s'}
        />
      </FieldPair>
      <Checkbox
        label="Hold it back"
        hint="It neither starts nor goes on by itself. An attempt that runs continues."
        isChecked={form.suspend}
        onChange={(suspend) => onChange({ suspend })}
      />
      {agent?.adapter !== 'script' && (
        <AreaField
          {...of('instructions', 'agent.instructions')}
          label="Instructions to the agent"
          isOptional
          hint="Beside the description: how to work, and what to leave alone."
        />
      )}
      <ListField
        {...of('allowed_tools', 'agent.allowed_tools')}
        label="Allowed tools"
        isOptional
        hint="One on each line; left open, those of the agent."
      />
      <FieldPair>
        <TextField
          {...of('repository_url')}
          label="Another repository"
          isOptional
          hint="In place of the project’s."
          isCode
        />
        <TextField {...of('container_image')} label="Container image" isOptional isCode />
      </FieldPair>
    </FormSection>
  )
}

function Limits(part: FormPart<TaskForm>) {
  const of = bindFields(part)
  return (
    <>
      <TextField {...of('budget_usd')} label="Budget in US dollars" isOptional inputMode="decimal" placeholder="none" />
      <TextField
        {...of('timeout_seconds')}
        label="Time limit in seconds"
        isOptional
        inputMode="numeric"
        placeholder="the agent’s"
      />
      <TextField
        {...of('priority')}
        label="Priority"
        isOptional
        hint="A whole number; lower ones come first, and 0 is usual."
        inputMode="numeric"
        placeholder="0"
      />
      <TextField {...of('max_attempts')} label="Attempts at most" isOptional inputMode="numeric" />
    </>
  )
}
