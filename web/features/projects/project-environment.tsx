import { useId } from 'react'
import type { Project } from '../../../core/rest/client/client.ts'
import { noProposalWords, proposalReason } from '../../../core/sentences/environment.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { AreaField, ListField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair, FormSection } from '../../components/form-parts.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import { BuildButton, Environments } from './prepared-environments.tsx'
import { type ProjectFieldsProps, hasEnvironment, toEnvironmentForm } from './project-form.ts'
import css from './projects.module.css'

const VARIABLE = '[{ "name": "NPM_TOKEN", "secret_key": { "name": "registry", "key": "NPM_TOKEN" } }]'

/** What agents find installed: how it is prepared, and for a project that exists what is. */
export function ProjectEnvironment({ project, ...part }: ProjectFieldsProps & { readonly project?: Project }) {
  return (
    <FormSection title="Environment" hint="What agents find installed when they begin.">
      {project !== undefined && <Prepared project={project} {...part} />}
      <Fields {...part} />
    </FormSection>
  )
}

function Fields(part: ProjectFieldsProps) {
  const of = bindFields(part)
  const { form, errors, onChange } = part
  const isOpen = hasEnvironment(form) || [...errors.keys()].some((field) => field.startsWith('environment'))
  return (
    <details open={isOpen} className={css['how']}>
      <summary>How it is prepared</summary>
      <AreaField
        {...of('env_setup', 'environment.setup')}
        label="Setup"
        isOptional
        hint="A program that is run once at the top of a fresh clone, without any credentials of git or a model. Left open, .slipway/environment.yaml of the repository counts."
        placeholder="npm ci"
        rows={4}
        isCode
      />
      <FieldPair>
        <ListField
          {...of('env_cache', 'environment.cache')}
          label="Folders that are kept"
          isOptional
          hint="One on each line, from the top of the clone, or from the home with ~/. Each agent gets a copy; with :ro behind it all read the same one."
          placeholder="node_modules"
        />
        <ListField
          {...of('env_keys', 'environment.keys')}
          label="Key files"
          isOptional
          hint="One on each line, from the top of the repository. The setup runs again when one changes."
          placeholder="package-lock.json"
        />
      </FieldPair>
      <AreaField
        {...of('env_variables', 'environment.env')}
        label="Variables of the setup"
        isOptional
        hint="Agents do not get them. A JSON list, as in the REST API; a Secret needs the label slipway.dev/usable-by: setup."
        placeholder={VARIABLE}
        isCode
      />
      <TextField
        {...of('env_timeout', 'environment.timeout_seconds')}
        label="Time limit in seconds"
        isOptional
        inputMode="numeric"
        placeholder="1800"
      />
      <Checkbox
        label="Tasks fail when the setup has failed"
        hint="Otherwise their agents start without what it prepares, and the tasks say so."
        isChecked={form.env_required}
        onChange={(isRequired) => onChange({ env_required: isRequired })}
      />
    </details>
  )
}

interface PreparedProps extends ProjectFieldsProps {
  readonly project: Project
}

/** What is prepared, or why nothing is, and the way to it. */
function Prepared({ project, ...part }: PreparedProps) {
  const { environment, environments = [], environment_problem: problem } = project
  if (problem !== undefined) return <p className={css['said']}>No setup runs: {problem}.</p>
  if (environments.length > 0) return <Environments project={project} environments={environments} />
  if (environment !== undefined)
    return (
      <p className={css['said']}>
        Nothing is prepared yet: the next task has it built. <BuildButton project={project}>Build now</BuildButton>
      </p>
    )
  return <Proposal project={project} {...part} />
}

/** What the lock files tell, in one press in the form. */
function Proposal({ project, form, onChange }: PreparedProps) {
  const { proposed_environment: proposed, lock_files: lockFiles } = project
  const id = useId()
  if (hasEnvironment(form)) return null
  if (proposed === undefined) return <p className={css['said']}>{noProposalWords(lockFiles)}</p>
  return (
    <section className={css['proposal']} aria-labelledby={id}>
      <p id={id}>{proposalReason(lockFiles ?? [])}</p>
      <CodeBlock text={proposed.setup} label="Proposed setup" isWrapped />
      <div>
        <Button isSmall onClick={() => onChange(toEnvironmentForm(proposed))}>
          Fill it in
        </Button>{' '}
        to read it, change it and save it.
      </div>
    </section>
  )
}
