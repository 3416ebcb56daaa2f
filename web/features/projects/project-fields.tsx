import { useState } from 'react'
import { useRepositoryTrial } from '../../api/setup.ts'
import { TrialFinding } from '../../components/finding.tsx'
import { AreaField, SelectField, TextField } from '../../components/fields.tsx'
import { FormSection } from '../../components/form-parts.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import { repositoryName, slugOf } from '../../../core/ids.ts'
import { ON_ACCEPT_CHOICES } from '../../../core/sentences/accept.ts'
import { ProjectRest } from './project-rest.tsx'
import type { ProjectFieldsProps } from './project-form.ts'

/** How agents work on the repository, and what becomes of their work. */
export function ProjectFields(props: ProjectFieldsProps) {
  return (
    <>
      <ProjectSection {...props} />
      <ProjectRest {...props} />
    </>
  )
}

/** The repository is tried as soon as one leaves its field. */
export function RepositorySection({ isNew, ...part }: ProjectFieldsProps) {
  const of = bindFields(part)
  const { form } = part
  const [tried, setTried] = useState({ url: '', secret: '' })
  const trial = useRepositoryTrial(tried.url, tried.secret)
  const leave = (): void => {
    setTried({ url: form.remote_url.trim(), secret: form.git_secret.trim() })
  }
  const found = trial.result?.default_branch
  return (
    <FormSection title="Repository">
      <TextField
        {...of('remote_url')}
        label="Address"
        hint="https, ssh or user@host:path; a folder of this machine where agents run on it."
        isCode
        autoFocus={isNew}
        placeholder="git@example.org:team/shop.git"
        onBlur={leave}
      />
      <TrialFinding {...trial} isNew={isNew} />
      <TextField
        {...of('git_secret', 'git')}
        label="Secret with the git login"
        isOptional
        hint="Name of a Secret with the label slipway.dev/usable-by: git. On one machine your own git login is used without one."
        isCode
        onBlur={leave}
      />
      <TextField
        {...of('default_branch')}
        label="Default branch"
        isOptional
        hint="Work starts from it, and is pushed to it only where what you accept is merged."
        isCode
        placeholder={found ?? 'what HEAD of the repository names'}
      />
    </FormSection>
  )
}

function ProjectSection({ isNew, ...part }: ProjectFieldsProps) {
  const of = bindFields(part)
  const { form } = part
  const called = form.name.trim() === '' ? repositoryName(form.remote_url) : form.name
  const accept = ON_ACCEPT_CHOICES.find(({ value }) => value === form.on_accept)
  return (
    <FormSection title="Project">
      <TextField {...of('name')} label="Name" placeholder={isNew ? repositoryName(form.remote_url) : undefined} />
      {isNew && (
        <TextField
          {...of('id')}
          label="Id"
          isOptional
          hint="Lower-case letters, digits and -. It stays; left open, it is made of the name."
          isCode
          placeholder={slugOf(called, 'project')}
        />
      )}
      <TextField
        {...of('test_command')}
        label="Test command"
        isOptional
        hint="Agents are told to run it before they end."
        isCode
        placeholder="npm test"
      />
      <AreaField
        {...of('instructions')}
        label="Instructions"
        isOptional
        hint="Markdown that every task of this project begins with."
      />
      <SelectField
        {...of('on_accept')}
        label="When work is accepted"
        hint={accept?.consequence}
        options={ON_ACCEPT_CHOICES}
      />
      <TextField
        {...of('max_awaiting_review')}
        label="Tasks that may wait for review"
        isOptional
        inputMode="numeric"
        hint="While so many wait for a person, nothing new starts in this project. Left open, there is no limit."
      />
    </FormSection>
  )
}
