import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair, FormSection } from '../../components/form-parts.tsx'
import { type FormPart, bindFields } from '../../model/bind-fields.ts'
import type { AgentForm } from './agent-form.ts'
import css from './agents.module.css'

/** What most agents need to say, beside their program. */
export function AgentFields(part: FormPart<AgentForm>) {
  const of = bindFields(part)
  const { form, onChange } = part
  return (
    <FormSection title="Work">
      <FieldPair>
        <TextField {...of('max_concurrent')} label="Tasks at a time" inputMode="numeric" />
        <TextField
          {...of('timeout_seconds')}
          label="Time limit in seconds"
          isOptional
          hint="For tasks that name none."
          inputMode="numeric"
        />
      </FieldPair>
      <TextField
        {...of('max_awaiting_review')}
        label="Tasks that may wait for review"
        isOptional
        inputMode="numeric"
        hint="While so many wait for a person, the agent starts nothing new. Left open, there is no limit."
      />
      <ListField
        {...of('models')}
        label="Models"
        isOptional
        hint="One on each line. Left open, every model that the program knows may be asked for."
      />
      <TextField {...of('default_model')} label="Default model" isOptional isCode />
      <ListField
        {...of('allowed_tools')}
        label="Allowed tools"
        isOptional
        hint="One on each line, in the program’s own words. Left open, all of them."
      />
      <AreaField
        {...of('instructions')}
        label="Instructions"
        isOptional
        hint="Markdown that every task of this agent begins with."
      />
      <Checkbox
        label="Go on by itself after limits and lost pods"
        isChecked={form.auto_resume}
        onChange={(auto_resume) => onChange({ auto_resume })}
      />
    </FormSection>
  )
}

/** What few agents need to say. */
export function AgentRest(part: FormPart<AgentForm>) {
  const of = bindFields(part)
  const { form, onChange, errors } = part
  const price = errors.get('prices')
  return (
    <>
      <FormSection
        title="Prices"
        isFolded={price === undefined}
        hint="US dollars for a million tokens, for programs that do not tell what a run cost."
      >
        <div className={css['three']}>
          <TextField
            label="Input"
            name="prices"
            isOptional
            error={price}
            inputMode="decimal"
            value={form.input_price}
            onChange={(input_price) => onChange({ input_price })}
          />
          <TextField
            label="Output"
            isOptional
            inputMode="decimal"
            value={form.output_price}
            onChange={(output_price) => onChange({ output_price })}
          />
          <TextField
            label="Cached input"
            isOptional
            inputMode="decimal"
            value={form.cached_price}
            onChange={(cached_price) => onChange({ cached_price })}
          />
        </div>
      </FormSection>
      <FormSection
        title="Program, container and the rest"
        isFolded={!['image', 'command', 'more'].some((name) => errors.has(name))}
      >
        <SelectField
          label="Drop directory"
          hint="What the agent may do with files that people and agents exchange."
          value={form.drops_access}
          options={[
            { value: 'read_write', label: 'read and write' },
            { value: 'read_only', label: 'read' },
            { value: 'none', label: 'neither' },
          ]}
          onChange={(drops_access) => onChange({ drops_access })}
        />
        <TextField {...of('image')} label="Container image" isOptional isCode />
        <ListField
          {...of('command')}
          label="Command"
          isOptional
          hint="What is started in place of the adapter’s program: program and arguments, one on each line."
        />
        <AreaField
          {...of('more')}
          label="Further fields"
          isOptional
          hint="acp, credentials, prompts, classifier, mcp_servers and pod_template, as a JSON object as in the REST API."
          isCode
        />
      </FormSection>
    </>
  )
}
