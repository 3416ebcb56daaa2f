import type { Epic } from '../../../core/rest/client/client.ts'
import { createEpic, updateEpic } from '../../api/epics.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { onEscape } from '../../components/on-escape.ts'
import { notify } from '../../components/toast.tsx'
import type { Bind } from '../../model/bind-fields.ts'
import type { FieldErrors } from '../../model/field-errors.ts'
import { type EpicValues, FIRST_COLOR, toEpicCreate, toEpicEdit, toEpicForm } from './epic-values.ts'
import css from './epics.module.css'

const FIELDS = ['name', 'description', 'priority', 'color']

interface EpicFormProps {
  readonly label: string
  readonly of: Bind<EpicValues>
  readonly leave: (close: () => void) => void
  readonly save: () => void
  readonly isPending: boolean
  readonly errors: FieldErrors
  readonly confirm: string
  readonly onEnd: () => void
}

/** The fields of an epic. */
function EpicForm({ label, of, leave, save, isPending, errors, confirm, onEnd }: EpicFormProps) {
  return (
    <form
      className={css['form']}
      aria-label={label}
      onKeyDown={onEscape(() => leave(onEnd))}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField {...of('name')} label="Name" autoFocus />
      <AreaField {...of('description')} label="Description" isOptional />
      <div className={css['pair']}>
        <TextField
          {...of('priority')}
          label="Priority"
          hint="A whole number; the lower, the higher its lane."
          inputMode="numeric"
          pattern="-?[0-9]+"
          required
        />
        <TextField {...of('color')} label="Colour" type="color" />
      </div>
      <FormError text={errors.rest} />
      <p className={css['actions']}>
        <Button type="submit" look="primary" isSmall isBusy={isPending}>
          {confirm}
        </Button>
        <Button isSmall look="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </p>
    </form>
  )
}

interface CreateEpicProps {
  /** What is proposed; '' where nothing is. */
  readonly name: string
  readonly description: string
  readonly onEnd: () => void
}

export function CreateEpic({ name, description, onEnd }: CreateEpicProps) {
  const form = useForm(undefined, {
    toForm: (): EpicValues => ({ name, description, priority: '0', color: FIRST_COLOR }),
    write: async (_none, values) => createEpic(toEpicCreate(values)),
    ...ending(onEnd),
  })
  return <EpicForm label="New epic" confirm="Create the epic" {...form} onEnd={onEnd} />
}

export function EditEpic({ epic, onEnd }: { readonly epic: Epic; readonly onEnd: () => void }) {
  const edit = useForm(epic, {
    toForm: toEpicForm,
    write: async (seen, values) => updateEpic(seen, toEpicEdit(seen, values)),
    ...ending(onEnd),
  })
  return <EpicForm label={`Edit ${epic.name}`} confirm="Save" {...edit} onEnd={onEnd} />
}

/** What a form of an epic does when it is stored. */
function ending(onEnd: () => void) {
  return {
    fields: FIELDS,
    onDone: (message: string) => {
      notify(message)
      onEnd()
    },
  }
}
