import { AreaField, SelectField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair, FormSection } from '../../components/form-parts.tsx'
import type { Option } from '../../components/form.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import {
  type EvaluationSwitch,
  type ProjectFieldsProps,
  type ProjectForm,
  EVALUATION_SWITCHES,
} from './project-form.ts'

const SWITCHES: Readonly<Record<EvaluationSwitch, readonly [label: string, hint: string]>> = {
  enabled: ['Judge stories', 'Two agents judge each acceptance criterion when all tasks of a story are finished.'],
  arbitration: ['Settle disagreements', 'A third agent decides where the two disagree.'],
  retro: ['Look back', 'An agent writes down what the story taught.'],
  propose_epics: ['Propose epics', 'An agent proposes an epic for stories without one.'],
}

const HOSTS: readonly Option<ProjectForm['host_type']>[] = [
  { value: '', label: 'By its address' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
]

const SERVICE = '[{ "name": "db", "image": "postgres:17", "ports": [5432] }]'

/** What few projects need to say. */
export function ProjectRest(part: ProjectFieldsProps) {
  const of = bindFields(part)
  const { form, onChange } = part
  return (
    <>
      <FormSection title="Evaluation of stories" isFolded>
        {EVALUATION_SWITCHES.map((name) => (
          <Checkbox
            key={name}
            label={SWITCHES[name][0]}
            hint={SWITCHES[name][1]}
            isChecked={form.evaluation[name]}
            isDisabled={name !== 'enabled' && !form.evaluation.enabled}
            onChange={(isOn) => onChange({ evaluation: { ...form.evaluation, [name]: isOn } })}
          />
        ))}
      </FormSection>
      <FormSection title="Deployment, host and containers" isFolded>
        <TextField
          {...of('commit_url', 'deployment')}
          label="Address of the running commit"
          isOptional
          hint="Answers with the deployed commit, as text or as JSON with the member commit. Tasks then say whether their work runs."
          isCode
        />
        <FieldPair>
          <SelectField
            {...of('host_type', 'host.type')}
            label="Host"
            hint="Where pull requests are opened."
            options={HOSTS}
          />
          <TextField {...of('host_api_url', 'host.api_url')} label="Its API" isOptional isCode />
        </FieldPair>
        <TextField {...of('container_image')} label="Container image" isOptional isCode />
        <TextField
          {...of('local_path')}
          label="Checkout on the server"
          isOptional
          hint="An absolute folder. Elaboration reads it, and failures of CI are matched by its last part."
          isCode
        />
        <SelectField
          {...of('run_policy')}
          label="New tasks"
          options={[
            { value: 'manual', label: 'wait until somebody runs them' },
            { value: 'auto', label: 'run by themselves' },
          ]}
        />
        <AreaField
          {...of('mcp_servers')}
          label="Servers of tools (MCP)"
          isOptional
          hint="A JSON list, as in the REST API."
          isCode
        />
        <AreaField
          {...of('services')}
          label="Services"
          isOptional
          hint="Such as a database for tests, in a cluster only. A JSON list, as in the REST API; the agent finds db by SERVICE_DB_HOST and SERVICE_DB_PORT."
          placeholder={SERVICE}
          isCode
        />
      </FormSection>
    </>
  )
}
