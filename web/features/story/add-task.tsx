import type { Story } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { addStoryTask } from '../../api/story-details.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, SelectField, TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { onEscape } from '../../components/on-escape.ts'
import { notify } from '../../components/toast.tsx'
import { useFocusBack } from '../../components/use-focus-back.ts'
import type { EditProps } from './edit-fields.tsx'
import css from './story.module.css'

const FIELDS = ['name', 'description', 'agent']

/** A task at the end of the story's chain. */
export function AddTask({ story, onEnd }: EditProps) {
  useFocusBack()
  const { form, of, change, leave, save, isPending, errors } = useForm(undefined, {
    toForm: (): NewTask => ({ name: '', description: '', agent: '' }),
    fields: FIELDS,
    write: async (_none, typed) => add(story, typed),
    onDone: (message) => {
      notify(message)
      onEnd()
    },
  })
  return (
    <form
      className={css['edit']}
      aria-label="New task of the story"
      onKeyDown={onEscape(() => leave(onEnd))}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField {...of('name')} label="Name of the task" autoFocus />
      <AreaField
        {...of('description')}
        label="Description"
        isOptional
        hint="What the agent is told, in Markdown; a script agent runs it as its script."
      />
      <AgentField value={form.agent} onChange={(agent) => change({ agent })} error={errors.byField.get('agent')} />
      <FormError text={errors.rest} />
      <p className={css['editActions']}>
        <Button type="submit" look="primary" isSmall isBusy={isPending}>
          Add the task
        </Button>
        <Button isSmall look="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </p>
    </form>
  )
}

interface AgentFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

function AgentField({ value, onChange, error }: AgentFieldProps) {
  const { data: agents = [] } = useRecords('agents')
  const options = [{ value: '', label: 'chosen for me' }, ...agents.map(({ id }) => ({ value: id, label: id }))]
  return <SelectField label="Agent" name="agent" error={error} value={value} onChange={onChange} options={options} />
}

interface NewTask {
  readonly name: string
  readonly description: string
  readonly agent: string
}

async function add(story: Story, { name, description, agent }: NewTask): Promise<string> {
  const task = await addStoryTask(story.id, {
    name,
    ...(description === '' ? {} : { description }),
    ...(story.project_id === undefined ? {} : { project: story.project_id }),
    ...(agent === '' ? {} : { agent: { type: agent } }),
  })
  return `${task.name}: added`
}
