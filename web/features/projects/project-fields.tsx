import { useState } from 'react'
import { useRepositoryTrial } from '../../api/setup.ts'
import { TrialFinding } from '../../components/finding.tsx'
import { FormSection } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import { ON_ACCEPT_CHOICES } from '../../model/on-accept.ts'
import { repositoryName } from '../../model/texts.ts'
import { ProjectRest } from './project-rest.tsx'
import type { ProjectFieldsProps } from './project-form.ts'

/** The fields of a project. */
export function ProjectFields(props: ProjectFieldsProps) {
  return (
    <>
      <RepositorySection {...props} />
      <ProjectSection {...props} />
      <ProjectRest {...props} />
    </>
  )
}

/** The repository is tried as soon as one leaves its field. */
function RepositorySection({ form, onChange, errors, isNew }: ProjectFieldsProps) {
  const [tried, setTried] = useState({ url: '', secret: '' })
  const trial = useRepositoryTrial(tried.url, tried.secret)
  const leave = (): void => {
    setTried({ url: form.remote_url.trim(), secret: form.git_secret.trim() })
  }
  const found = trial.result?.default_branch
  return (
    <FormSection title="Repository">
      <Field
        label="Address"
        name="remote_url"
        error={errors.get('remote_url')}
        hint="https, ssh or user@host:path; a folder of this machine where agents run on it."
      >
        <TextInput
          isCode
          autoFocus={isNew}
          placeholder="git@example.org:team/shop.git"
          value={form.remote_url}
          onChange={(remote_url) => onChange({ remote_url })}
          onBlur={leave}
        />
      </Field>
      <TrialFinding {...trial} />
      <Field
        label="Secret with the git login"
        name="git"
        isOptional
        error={errors.get('git')}
        hint="Name of a Secret with the label slipway.dev/usable-by: git. On one machine your own git login is used without one."
      >
        <TextInput isCode value={form.git_secret} onChange={(git_secret) => onChange({ git_secret })} onBlur={leave} />
      </Field>
      <Field
        label="Default branch"
        name="default_branch"
        isOptional
        error={errors.get('default_branch')}
        hint="Work starts from it, and is pushed to it only where what you accept is merged."
      >
        <TextInput
          isCode
          placeholder={found ?? 'what HEAD of the repository names'}
          value={form.default_branch}
          onChange={(default_branch) => onChange({ default_branch })}
        />
      </Field>
    </FormSection>
  )
}

function ProjectSection({ form, onChange, errors, isNew }: ProjectFieldsProps) {
  const accept = ON_ACCEPT_CHOICES.find(({ value }) => value === form.on_accept)
  return (
    <FormSection title="Project">
      <Field label="Name" name="name" error={errors.get('name')}>
        <TextInput
          placeholder={isNew ? repositoryName(form.remote_url) : undefined}
          value={form.name}
          onChange={(name) => onChange({ name })}
        />
      </Field>
      {isNew && (
        <Field
          label="Id"
          name="id"
          isOptional
          error={errors.get('id')}
          hint="Lower-case letters, digits and -. It stays; left open, one is made."
        >
          <TextInput isCode value={form.id} onChange={(id) => onChange({ id })} />
        </Field>
      )}
      <Field
        label="Test command"
        name="test_command"
        isOptional
        error={errors.get('test_command')}
        hint="Agents are told to run it before they end."
      >
        <TextInput
          isCode
          placeholder="npm test"
          value={form.test_command}
          onChange={(test_command) => onChange({ test_command })}
        />
      </Field>
      <Field
        label="Instructions"
        name="instructions"
        isOptional
        error={errors.get('instructions')}
        hint="Markdown that every task of this project begins with."
      >
        <TextArea value={form.instructions} onChange={(instructions) => onChange({ instructions })} />
      </Field>
      <Field label="When work is accepted" name="on_accept" error={errors.get('on_accept')} hint={accept?.consequence}>
        <Select value={form.on_accept} options={ON_ACCEPT_CHOICES} onChange={(on_accept) => onChange({ on_accept })} />
      </Field>
    </FormSection>
  )
}
