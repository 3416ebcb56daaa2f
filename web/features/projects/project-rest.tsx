import { Checkbox, FormSection } from '../../components/form-parts.tsx'
import type { Option } from '../../components/form.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import type { EvaluationSwitch, ProjectFieldsProps, ProjectForm } from './project-form.ts'
import { EVALUATION_SWITCHES } from './project-form.ts'
import css from './projects.module.css'

const SWITCHES: Readonly<Record<EvaluationSwitch, readonly [label: string, hint: string]>> = {
  enabled: ['Judge stories', 'Two agents judge each acceptance criterion when the work of a story is done.'],
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

/** What few projects need to say. */
export function ProjectRest({ form, onChange, errors }: ProjectFieldsProps) {
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
        <Field
          label="Address of the running commit"
          name="deployment"
          isOptional
          error={errors.get('deployment')}
          hint="Answers with the deployed commit, as text or as JSON with the member commit. Tasks then say whether their work runs."
        >
          <TextInput isCode value={form.commit_url} onChange={(commit_url) => onChange({ commit_url })} />
        </Field>
        <div className={css['pair']}>
          <Field label="Host" name="host.type" error={errors.get('host.type')} hint="Where pull requests are opened.">
            <Select value={form.host_type} options={HOSTS} onChange={(host_type) => onChange({ host_type })} />
          </Field>
          <Field label="Its API" name="host.api_url" isOptional error={errors.get('host.api_url')}>
            <TextInput isCode value={form.host_api_url} onChange={(host_api_url) => onChange({ host_api_url })} />
          </Field>
        </div>
        <Field label="Container image" name="container_image" isOptional error={errors.get('container_image')}>
          <TextInput
            isCode
            value={form.container_image}
            onChange={(container_image) => onChange({ container_image })}
          />
        </Field>
        <Field
          label="Checkout on the server"
          name="local_path"
          isOptional
          error={errors.get('local_path')}
          hint="An absolute folder. Elaboration reads it, and failures of CI are matched by its last part."
        >
          <TextInput isCode value={form.local_path} onChange={(local_path) => onChange({ local_path })} />
        </Field>
        <Field label="New tasks" name="run_policy" error={errors.get('run_policy')}>
          <Select
            value={form.run_policy}
            options={[
              { value: 'manual', label: 'wait until somebody runs them' },
              { value: 'auto', label: 'run by themselves' },
            ]}
            onChange={(run_policy) => onChange({ run_policy })}
          />
        </Field>
        <Field
          label="Servers of tools (MCP)"
          name="mcp_servers"
          isOptional
          error={errors.get('mcp_servers')}
          hint="A JSON list, as in the REST API."
        >
          <TextArea isCode value={form.mcp_servers} onChange={(mcp_servers) => onChange({ mcp_servers })} />
        </Field>
      </FormSection>
    </>
  )
}
