import { useState } from 'react'
import { repositoryName } from '../../../core/ids.ts'
import type { Project } from '../../../core/rest/client/client.ts'
import { createTriedProject, useRepositoryTrial } from '../../api/setup.ts'
import { useUnsaved } from '../../api/unsaved.ts'
import { useSave } from '../../api/use-save.ts'
import { Button } from '../../components/button.tsx'
import { TrialFinding } from '../../components/finding.tsx'
import { TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { notify } from '../../components/toast.tsx'
import css from './first-run.module.css'

interface RepositoryStepProps {
  readonly projects: readonly Project[]
  readonly onDone: (projectId: string) => void
}

/** Where agents are to work. The repository is tried as soon as one leaves its field, and once more before it is added. */
export function RepositoryStep({ projects, onDone }: RepositoryStepProps) {
  const [url, setUrl] = useState('')
  const [tried, setTried] = useState('')
  useUnsaved(url !== '')
  const trial = useRepositoryTrial(tried, '')
  const { save, isPending, errors } = useSave(createTriedProject, {
    fields: ['remote_url'],
    onDone: ({ id, name }) => {
      if (projects.some((project) => project.id === id))
        notify(`The project ${name} has this repository already, and is used.`)
      onDone(id)
    },
  })
  const add = (): void => {
    const remote_url = url.trim()
    setTried(remote_url)
    if (remote_url !== '') save({ name: repositoryName(remote_url), remote_url })
  }
  const there = url.trim() === tried ? projects.find(({ id }) => id === trial.result?.project) : undefined
  const others = projects.filter(({ id }) => id !== there?.id)
  const isSaid = trial.isPending || trial.refusal !== undefined || trial.result?.outcome === 'unreachable'
  return (
    <section className={css['card']} aria-labelledby="first-run-step">
      <h2 id="first-run-step">Which repository shall agents work in?</h2>
      <p>
        They work in clones of it, and push branches of their own. Its default branch changes only if the project says
        that what you accept is merged.
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label="Address or folder"
          hint="A git URL, or a folder with a git repository on this machine: /home/me/shop"
          isCode
          autoFocus
          value={url}
          onChange={setUrl}
          onBlur={() => setTried(url.trim())}
          placeholder="git@example.org:team/shop.git"
        />
        <TrialFinding {...trial} />
        {!isSaid && <FormError text={errors.byField.get('remote_url') ?? errors.rest} />}
        <p className={css['actions']}>
          <Button look="primary" type="submit" isBusy={isPending} disabled={url.trim() === ''}>
            {there === undefined ? 'Add the repository' : `Use ${there.name}`}
          </Button>
          {others.map(({ id, name }) => (
            <Button key={id} onClick={() => onDone(id)}>
              Use {name}
            </Button>
          ))}
        </p>
      </form>
    </section>
  )
}
