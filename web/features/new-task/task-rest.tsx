import { useRecords } from '../../api/queries.ts'
import { Checkbox, FormSection, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import css from './new-task.module.css'
import type { TaskFieldsProps } from './task-fields.tsx'
import { ADVANCED_FIELDS } from './task-form.ts'

/** What few tasks need to say; opens where the server refuses one of its fields. */
export function TaskRest({ form, onChange, errors, isOpen = false }: TaskFieldsProps & { readonly isOpen?: boolean }) {
  const { data: agents = [] } = useRecords('agents')
  const agent = agents.find(({ id }) => id === form.agent)
  const hidden = [...ADVANCED_FIELDS, 'agent.model', 'agent.allowed_tools']
  const isRefused = hidden.some((name) => errors.has(name))
  return (
    <FormSection key={String(isRefused)} title="Budget, limits and the rest" isFolded={!isRefused && !isOpen}>
      <div className={css['pair']}>
        <Limits form={form} onChange={onChange} errors={errors} />
        <Field label="When what it waits for is done" name="run_policy" error={errors.get('run_policy')}>
          <Select
            value={form.run_policy}
            options={[
              { value: 'manual', label: 'wait until somebody runs it' },
              { value: 'auto', label: 'run by itself' },
            ]}
            onChange={(run_policy) => onChange({ run_policy })}
          />
        </Field>
        <Field label="Model" name="agent.model" isOptional error={errors.get('agent.model')}>
          <TextInput
            isCode
            placeholder={agent?.default_model ?? 'the agent’s'}
            value={form.model}
            onChange={(model) => onChange({ model })}
          />
        </Field>
      </div>
      <Checkbox
        label="Hold it back"
        hint="It neither starts nor goes on by itself. An attempt that runs continues."
        isChecked={form.suspend}
        onChange={(suspend) => onChange({ suspend })}
      />
      {agent?.adapter !== 'script' && (
        <Field
          label="Instructions to the agent"
          name="agent.instructions"
          isOptional
          error={errors.get('agent.instructions')}
          hint="Beside the description: how to work, and what to leave alone."
        >
          <TextArea value={form.instructions} onChange={(instructions) => onChange({ instructions })} />
        </Field>
      )}
      <Field
        label="Allowed tools"
        name="agent.allowed_tools"
        isOptional
        error={errors.get('agent.allowed_tools')}
        hint="One on each line; left open, those of the agent."
      >
        <ListEditor value={form.allowed_tools} onChange={(allowed_tools) => onChange({ allowed_tools })} />
      </Field>
      <div className={css['pair']}>
        <Field label="Another repository" name="repository_url" isOptional hint="In place of the project’s.">
          <TextInput isCode value={form.repository_url} onChange={(repository_url) => onChange({ repository_url })} />
        </Field>
        <Field label="Container image" name="container_image" isOptional error={errors.get('container_image')}>
          <TextInput
            isCode
            value={form.container_image}
            onChange={(container_image) => onChange({ container_image })}
          />
        </Field>
      </div>
    </FormSection>
  )
}

function Limits({ form, onChange, errors }: TaskFieldsProps) {
  return (
    <>
      <Field label="Budget in US dollars" name="budget_usd" isOptional error={errors.get('budget_usd')}>
        <TextInput
          inputMode="decimal"
          placeholder="none"
          value={form.budget_usd}
          onChange={(budget_usd) => onChange({ budget_usd })}
        />
      </Field>
      <Field label="Time limit in seconds" name="timeout_seconds" isOptional error={errors.get('timeout_seconds')}>
        <TextInput
          inputMode="numeric"
          placeholder="the agent’s"
          value={form.timeout_seconds}
          onChange={(timeout_seconds) => onChange({ timeout_seconds })}
        />
      </Field>
      <Field
        label="Priority"
        name="priority"
        isOptional
        error={errors.get('priority')}
        hint="A whole number; lower ones come first, and 0 is usual."
      >
        <TextInput
          inputMode="numeric"
          placeholder="0"
          value={form.priority}
          onChange={(priority) => onChange({ priority })}
        />
      </Field>
      <Field label="Attempts at most" name="max_attempts" isOptional error={errors.get('max_attempts')}>
        <TextInput
          inputMode="numeric"
          value={form.max_attempts}
          onChange={(max_attempts) => onChange({ max_attempts })}
        />
      </Field>
    </>
  )
}
