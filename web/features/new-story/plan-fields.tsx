import { useRecords } from '../../api/queries.ts'
import { FormSection, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import type { Plan } from './plan.ts'

interface PlanFieldsProps {
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
  readonly errors: ReadonlyMap<string, string>
}

/** What the plan says of the story itself. */
export function PlanFields({ plan, onChange, errors }: PlanFieldsProps) {
  const { data: projects = [] } = useRecords('projects')
  return (
    <FormSection title="The story">
      <Field label="Name" name="name" error={errors.get('name')}>
        <TextInput value={plan.name} onChange={(name) => onChange({ ...plan, name })} />
      </Field>
      <Field label="Project" name="project_id" error={errors.get('project_id')}>
        <Select
          value={plan.projectId}
          onChange={(projectId) => onChange({ ...plan, projectId })}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field
        label="Branch"
        name="branch_name"
        isOptional
        hint="All tasks work on it. Left empty, it is named after the story."
        error={errors.get('branch_name')}
      >
        <TextInput isCode value={plan.branchName} onChange={(branchName) => onChange({ ...plan, branchName })} />
      </Field>
      <Field
        label="Specification"
        name="spec"
        isOptional
        hint="Markdown. Every task is given it."
        error={errors.get('spec')}
      >
        <TextArea rows={5} value={plan.spec} onChange={(spec) => onChange({ ...plan, spec })} />
      </Field>
      <Field
        label="Acceptance criteria"
        name="acceptance_criteria"
        isOptional
        hint="One statement on each line. When all tasks are done, an agent judges each of them."
        error={errors.get('acceptance_criteria')}
      >
        <ListEditor value={plan.criteria} onChange={(criteria) => onChange({ ...plan, criteria })} />
      </Field>
      <Field
        label="How it is checked"
        name="validation"
        isOptional
        hint={plan.checkSteps.length === 0 ? undefined : `Steps: ${plan.checkSteps.join('; ')}`}
        error={errors.get('validation')}
      >
        <TextInput value={plan.check} onChange={(check) => onChange({ ...plan, check })} />
      </Field>
    </FormSection>
  )
}
