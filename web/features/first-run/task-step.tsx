import { useState } from 'react'
import type { Agent, Project } from '../../../core/rest/client/client.ts'
import { newId } from '../../api/new-id.ts'
import { createTask } from '../../api/setup.ts'
import { useSave } from '../../api/use-save.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { refuse } from '../../components/toast.tsx'
import css from './first-run.module.css'
import { firstTask } from './steps.ts'

interface TaskStepProps {
  readonly project: Project
  readonly agent: Agent
  /** Told before the task is made, so that the guide knows it when it comes. */
  readonly onTask: (id: string) => void
  readonly onBack: () => void
}

/** What is to be done first. A small task is proposed, so that one sees the whole way in a minute. */
export function TaskStep({ project, agent, onTask, onBack }: TaskStepProps) {
  const isScript = agent.adapter === 'script'
  const [{ name, text }, setTask] = useState(() => firstTask(agent.adapter))
  const { save, isPending, errors } = useSave(
    (id: string) =>
      createTask(
        {
          id,
          name: name.trim(),
          project: project.id,
          agent: { type: agent.id, ...(isScript ? { instructions: text } : {}) },
          ...(isScript ? {} : { description: text }),
        },
        true,
      ),
    {
      fields: ['name', 'description', 'agent'],
      onDone: ({ refusal }) => {
        if (refusal !== undefined) refuse(refusal)
      },
    },
  )
  return (
    <section className={css['card']} aria-labelledby="first-run-step">
      <h2 id="first-run-step">What shall {agent.id} do first?</h2>
      <p>In a clone of {project.name}. The result stands on a branch of its own, and you decide about it.</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const id = newId('task', name)
          onTask(id)
          save(id)
        }}
      >
        <FormError text={errors.rest} />
        <TextField
          label="Title"
          error={errors.byField.get('name')}
          autoFocus
          value={name}
          onChange={(typed) => setTask({ name: typed, text })}
        />
        <AreaField
          label={isScript ? 'Script' : 'Description'}
          error={errors.byField.get('description') ?? errors.byField.get('agent')}
          hint={
            isScript
              ? 'Run by bash, or by what its line #! names; what it changes is the work.'
              : 'What is wanted, and how one sees that it is done.'
          }
          isCode={isScript}
          rows={4}
          value={text}
          onChange={(typed) => setTask({ name, text: typed })}
        />
        <p className={css['actions']}>
          <Button look="primary" type="submit" isBusy={isPending}>
            Create and run
          </Button>
          <Button look="quiet" onClick={onBack}>
            Back
          </Button>
        </p>
      </form>
    </section>
  )
}
