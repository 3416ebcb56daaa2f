import { ArrowDown, ArrowUp, ListPlus, Trash2 } from 'lucide-react'
import { AreaField, SelectField, TextField } from '../../components/fields.tsx'
import { Button } from '../../components/button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import css from './new-story.module.css'
import type { PlannedTask, TaskEdit } from './plan.ts'

interface TaskFieldsProps {
  readonly task: PlannedTask
  /** Under which the server's refusals name it. */
  readonly path: string
  readonly label: string
  /** Name of what it waits for; undefined: it starts first. */
  readonly waitsFor: string | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly isPart?: boolean
  readonly agents: readonly string[]
  readonly errors: ReadonlyMap<string, string>
  readonly onEdit: (edit: TaskEdit) => void
}

/** One task of the plan. */
export function TaskFields(props: TaskFieldsProps) {
  const { task, path, label, waitsFor, agents, errors, onEdit } = props
  const { key, name, description, agent } = task
  const change = (values: Partial<PlannedTask>): void => onEdit({ kind: 'change', key, values })
  const known = agents.includes(agent) || agent === '' ? agents : [agent, ...agents]
  return (
    <fieldset className={css['task']} aria-label={label}>
      <div className={css['taskHead']}>
        <h3>{label}</h3>
        <p className={css['waits']}>
          {waitsFor === undefined
            ? 'starts first'
            : `waits for ${waitsFor === '' ? 'the one before' : `“${waitsFor}”`}`}
        </p>
        <TaskTools {...props} />
      </div>
      <TextField
        label="Name"
        name={`${path}.name`}
        error={errors.get(`${path}.name`)}
        value={name}
        onChange={(next) => change({ name: next })}
      />
      <SelectField
        label="Agent"
        name={`${path}.agent`}
        error={errors.get(`${path}.agent`)}
        value={agent}
        onChange={(next) => change({ agent: next })}
        options={[{ value: '', label: 'chosen for me' }, ...known.map((id) => ({ value: id, label: id }))]}
      />
      <div className={css['wide']}>
        <AreaField
          label="Description"
          name={`${path}.description`}
          isOptional
          error={errors.get(`${path}.description`)}
          rows={2}
          value={description}
          onChange={(next) => change({ description: next })}
        />
      </div>
    </fieldset>
  )
}

function TaskTools({ task: { key }, label, isFirst, isLast, isPart = false, onEdit }: TaskFieldsProps) {
  return (
    <p className={css['tools']}>
      <Button
        isSmall
        look="quiet"
        aria-label={`Move up: ${label}`}
        title="Earlier"
        disabled={isFirst}
        onClick={() => onEdit({ kind: 'move', key, by: -1 })}
      >
        <ArrowUp size={SMALL_ICON} aria-hidden />
      </Button>
      <Button
        isSmall
        look="quiet"
        aria-label={`Move down: ${label}`}
        title="Later"
        disabled={isLast}
        onClick={() => onEdit({ kind: 'move', key, by: 1 })}
      >
        <ArrowDown size={SMALL_ICON} aria-hidden />
      </Button>
      {!isPart && (
        <Button
          isSmall
          look="quiet"
          aria-label={`Add a subtask: ${label}`}
          title="Add a subtask"
          onClick={() => onEdit({ kind: 'add', to: key })}
        >
          <ListPlus size={SMALL_ICON} aria-hidden />
        </Button>
      )}
      <Button
        isSmall
        look="quiet"
        aria-label={`Remove: ${label}`}
        title="Remove"
        onClick={() => onEdit({ kind: 'remove', key })}
      >
        <Trash2 size={SMALL_ICON} aria-hidden />
      </Button>
    </p>
  )
}
