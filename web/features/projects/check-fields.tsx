import { Button } from '../../components/button.tsx'
import { AreaField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair } from '../../components/form-parts.tsx'
import type { CheckForm } from './project-form.ts'
import css from './projects.module.css'

const VARIABLE = '[{ "name": "CI", "value": "true" }]'

interface CheckFieldsProps {
  readonly check: CheckForm
  /** From 1. */
  readonly place: number
  readonly onChange: (change: Partial<CheckForm>) => void
  /** Absent for who may not change it. */
  readonly onRemove: (() => void) | undefined
}

/** The fields of one check of a project. */
export function CheckFields({ check, place, onChange, onRemove }: CheckFieldsProps) {
  const bind = (key: 'name' | 'run' | 'timeout' | 'image' | 'env') => ({
    name: `checks[${place - 1}].${key}`,
    value: check[key],
    onChange: (value: string) => onChange({ [key]: value }),
    error: undefined,
  })
  return (
    <fieldset className={css['checked']}>
      <legend>{check.name.trim() === '' ? `Check ${place}` : check.name}</legend>
      <FieldPair>
        <TextField {...bind('name')} label="Name" isCode placeholder="test" />
        <TextField
          {...bind('timeout')}
          label="Time limit in seconds"
          isOptional
          inputMode="numeric"
          placeholder="1800"
        />
      </FieldPair>
      <AreaField
        {...bind('run')}
        label="Command"
        hint="Run in a clean checkout of the commit that would be pushed; exit code 0 is green."
        placeholder="npm ci && npm test"
        rows={2}
        isCode
      />
      <Checkbox
        label="Required"
        hint="Otherwise work is delivered although it is red, and its reviewers see that."
        isChecked={check.required}
        onChange={(required) => onChange({ required })}
      />
      <details open={check.image !== '' || check.env !== ''}>
        <summary>Image and variables</summary>
        <TextField {...bind('image')} label="Image" isOptional hint="Default: that of the agent." isCode />
        <AreaField
          {...bind('env')}
          label="Variables"
          isOptional
          hint="A JSON list. None may be secret: the check runs what agents wrote."
          placeholder={VARIABLE}
          isCode
        />
      </details>
      {onRemove !== undefined && (
        <Button
          isSmall
          look="quiet"
          aria-label={`Remove check ${check.name === '' ? place : check.name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      )}
    </fieldset>
  )
}
