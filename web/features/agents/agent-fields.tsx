import { Checkbox, FormSection, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import type { AgentForm } from './agent-form.ts'
import css from './agents.module.css'

export interface AgentFieldsProps {
  readonly form: AgentForm
  readonly onChange: (change: Partial<AgentForm>) => void
  readonly errors: ReadonlyMap<string, string>
}

/** What most agents need to say, beside their program. */
export function AgentFields({ form, onChange, errors }: AgentFieldsProps) {
  return (
    <FormSection title="Work">
      <div className={css['pair']}>
        <Field label="Tasks at a time" name="max_concurrent" error={errors.get('max_concurrent')}>
          <TextInput
            inputMode="numeric"
            value={form.max_concurrent}
            onChange={(max_concurrent) => onChange({ max_concurrent })}
          />
        </Field>
        <Field
          label="Time limit in seconds"
          name="timeout_seconds"
          isOptional
          error={errors.get('timeout_seconds')}
          hint="For tasks that name none."
        >
          <TextInput
            inputMode="numeric"
            value={form.timeout_seconds}
            onChange={(timeout_seconds) => onChange({ timeout_seconds })}
          />
        </Field>
      </div>
      <Field
        label="Models"
        name="models"
        isOptional
        error={errors.get('models')}
        hint="One on each line. Left open, every model that the program knows may be asked for."
      >
        <ListEditor value={form.models} onChange={(models) => onChange({ models })} />
      </Field>
      <Field label="Default model" name="default_model" isOptional error={errors.get('default_model')}>
        <TextInput isCode value={form.default_model} onChange={(default_model) => onChange({ default_model })} />
      </Field>
      <Field
        label="Allowed tools"
        name="allowed_tools"
        isOptional
        error={errors.get('allowed_tools')}
        hint="One on each line, in the program’s own words. Left open, all of them."
      >
        <ListEditor value={form.allowed_tools} onChange={(allowed_tools) => onChange({ allowed_tools })} />
      </Field>
      <Field
        label="Instructions"
        name="instructions"
        isOptional
        error={errors.get('instructions')}
        hint="Markdown that every task of this agent begins with."
      >
        <TextArea value={form.instructions} onChange={(instructions) => onChange({ instructions })} />
      </Field>
      <Checkbox
        label="Go on by itself after limits and lost pods"
        isChecked={form.auto_resume}
        onChange={(auto_resume) => onChange({ auto_resume })}
      />
    </FormSection>
  )
}

/** What few agents need to say. */
export function AgentRest({ form, onChange, errors }: AgentFieldsProps) {
  const price = errors.get('prices')
  return (
    <>
      <FormSection
        title="Prices"
        isFolded={price === undefined}
        hint="US dollars for a million tokens, for programs that do not tell what a run cost."
      >
        <div className={css['three']}>
          <Field label="Input" name="prices" isOptional error={price}>
            <TextInput
              inputMode="decimal"
              value={form.input_price}
              onChange={(input_price) => onChange({ input_price })}
            />
          </Field>
          <Field label="Output" isOptional>
            <TextInput
              inputMode="decimal"
              value={form.output_price}
              onChange={(output_price) => onChange({ output_price })}
            />
          </Field>
          <Field label="Cached input" isOptional>
            <TextInput
              inputMode="decimal"
              value={form.cached_price}
              onChange={(cached_price) => onChange({ cached_price })}
            />
          </Field>
        </div>
      </FormSection>
      <FormSection
        title="Program, container and the rest"
        isFolded={!['image', 'command', 'more'].some((name) => errors.has(name))}
      >
        <Field label="Drop directory" hint="What the agent may do with files that people and agents exchange.">
          <Select
            value={form.drops_access}
            options={[
              { value: 'read_write', label: 'read and write' },
              { value: 'read_only', label: 'read' },
              { value: 'none', label: 'neither' },
            ]}
            onChange={(drops_access) => onChange({ drops_access })}
          />
        </Field>
        <Field label="Container image" name="image" isOptional error={errors.get('image')}>
          <TextInput isCode value={form.image} onChange={(image) => onChange({ image })} />
        </Field>
        <Field
          label="Command"
          name="command"
          isOptional
          error={errors.get('command')}
          hint="What is started in place of the adapter’s program: program and arguments, one on each line."
        >
          <ListEditor value={form.command} onChange={(command) => onChange({ command })} />
        </Field>
        <Field
          label="Further fields"
          name="more"
          isOptional
          error={errors.get('more')}
          hint="credentials, prompts, classifier, mcp_servers and pod_template, as a JSON object as in the REST API."
        >
          <TextArea isCode value={form.more} onChange={(more) => onChange({ more })} />
        </Field>
      </FormSection>
    </>
  )
}
