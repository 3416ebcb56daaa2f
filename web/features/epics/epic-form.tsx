import { useState } from 'react'
import type { EpicInput, EpicVersion } from '../../api/epics.ts'
import { createEpic, updateEpic } from '../../api/epics.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { Field, TextArea, TextInput } from '../../components/form.tsx'
import { notify } from '../../components/toast.tsx'
import { errorsOfMessage, NO_ERRORS } from '../../model/field-errors.ts'
import css from './epics.module.css'

const FIELDS = ['name', 'description', 'priority', 'color']
/** What is proposed for a new epic; told apart from white and black in both themes. */
const FIRST_COLOR = '#3b5bdb'

interface Values {
  readonly name: string
  readonly description: string
  readonly priority: string
  readonly color: string
}

interface EpicFormProps {
  readonly label: string
  readonly initial: Values
  readonly confirm: string
  readonly onSave: (values: Values) => Promise<string>
  readonly onEnd: () => void
}

/** The fields of an epic. */
function EpicForm({ label, initial, confirm, onSave, onEnd }: EpicFormProps) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState(NO_ERRORS)
  const set = (changed: Partial<Values>): void => setValues({ ...values, ...changed })
  const { decide, isPending } = useDecision(onSave, {
    onDone: (message) => {
      notify(message)
      onEnd()
    },
    onRefused: (message) => setErrors(errorsOfMessage(message, FIELDS)),
  })
  return (
    <form
      className={css['form']}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        decide(values)
      }}
    >
      <Field label="Name" name="name" error={errors.byField.get('name')}>
        <TextInput autoFocus value={values.name} onChange={(name) => set({ name })} />
      </Field>
      <Field label="Description" name="description" isOptional error={errors.byField.get('description')}>
        <TextArea value={values.description} onChange={(description) => set({ description })} />
      </Field>
      <div className={css['pair']}>
        <Field
          label="Priority"
          name="priority"
          hint="A whole number; the lower, the higher its lane."
          error={errors.byField.get('priority')}
        >
          <TextInput
            inputMode="numeric"
            pattern="-?[0-9]+"
            required
            value={values.priority}
            onChange={(priority) => set({ priority })}
          />
        </Field>
        <Field label="Colour" name="color" error={errors.byField.get('color')}>
          <TextInput type="color" value={values.color} onChange={(color) => set({ color })} />
        </Field>
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
  return (
    <EpicForm
      key={name}
      label="New epic"
      confirm="Create the epic"
      initial={{ name, description, priority: '0', color: FIRST_COLOR }}
      onSave={(values) => createEpic(toInput(values))}
      onEnd={onEnd}
    />
  )
}

export function EditEpic({ seen, onEnd }: { readonly seen: EpicVersion; readonly onEnd: () => void }) {
  const { name, description = '', priority, color = FIRST_COLOR } = seen.epic
  return (
    <EpicForm
      label={`Edit ${name}`}
      confirm="Save"
      initial={{ name, description, priority: String(priority), color }}
      onSave={(values) => updateEpic(seen, { description: null, ...toInput(values) })}
      onEnd={onEnd}
    />
  )
}

function toInput({ name, description, priority, color }: Values): EpicInput {
  return { name, priority: Number(priority), color, ...(description.trim() === '' ? {} : { description }) }
}
