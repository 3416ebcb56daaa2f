import { useRecords } from '../../api/queries.ts'
import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { FormSection } from '../../components/form-parts.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import type { Plan } from './plan.ts'

interface PlanFieldsProps {
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
  readonly errors: ReadonlyMap<string, string>
}

/** What the plan says of the story itself. */
export function PlanFields({ plan, onChange, errors }: PlanFieldsProps) {
  const of = bindFields({ form: plan, onChange: (change) => onChange({ ...plan, ...change }), errors })
  const { data: projects = [] } = useRecords('projects')
  return (
    <FormSection title="The story">
      <TextField {...of('name')} label="Name" />
      <SelectField
        {...of('projectId', 'project_id')}
        label="Project"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField
        {...of('branchName', 'branch_name')}
        label="Branch"
        isOptional
        hint="All tasks work on it. Left empty, it is named after the story."
        isCode
      />
      <AreaField {...of('spec')} label="Specification" isOptional hint="Markdown. Every task is given it." rows={5} />
      <ListField
        {...of('criteria', 'acceptance_criteria')}
        label="Acceptance criteria"
        isOptional
        hint="One statement on each line. When all tasks are done, an agent judges each of them."
      />
      <TextField
        {...of('check', 'validation')}
        label="How it is checked"
        isOptional
        hint={plan.checkSteps.length === 0 ? undefined : `Steps: ${plan.checkSteps.join('; ')}`}
      />
    </FormSection>
  )
}
