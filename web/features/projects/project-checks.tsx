import type { Project } from '../../../core/rest/client/client.ts'
import { proposeChecks } from '../../../core/execution/check-proposal.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, ListField, TextField } from '../../components/fields.tsx'
import { Checkbox, FormError, FormSection } from '../../components/form-parts.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import { type CheckForm, type ProjectFieldsProps, toCheckForm } from './project-form.ts'
import css from './projects.module.css'

const NEW_CHECK = toCheckForm({ name: '', run: '' })
const VARIABLE = '[{ "name": "CI", "value": "true" }]'

/** What work must pass before a person is asked to review it, and which changes a review shows first. */
export function ProjectChecks({ project, ...part }: ProjectFieldsProps & { readonly project?: Project }) {
  const of = bindFields(part)
  const { form, errors, onChange } = part
  const canEdit = useSession().may('admin')
  const { checks } = form
  const set = (index: number, change: Partial<CheckForm>): void =>
    onChange({ checks: checks.map((check, i) => (i === index ? { ...check, ...change } : check)) })
  return (
    <FormSection
      title="Checks"
      hint="Programs that Slipway runs on the work before it is pushed, where the agent cannot write. What is red goes back to the agent."
    >
      <div data-field="checks">
        <FormError text={errors.get('checks')} />
        {checks.map((check, index) => (
          <CheckFields
            key={index}
            check={check}
            place={index + 1}
            onChange={(change) => set(index, change)}
            onRemove={canEdit ? () => onChange({ checks: checks.filter((_, i) => i !== index) }) : undefined}
          />
        ))}
      </div>
      {canEdit && (
        <div>
          <ProposedCheck {...part} />
          <Button isSmall onClick={() => onChange({ checks: [...checks, NEW_CHECK] })}>
            Add a check
          </Button>
        </div>
      )}
      {checks.length > 0 && (
        <TextField
          {...of('max_check_rounds')}
          label="Rounds"
          isOptional
          hint="How often the agent is to mend what a required check found, in the same session; 0 for never."
          inputMode="numeric"
          placeholder="2"
        />
      )}
      <ListField
        {...of('protected_paths')}
        label="Protected paths"
        isOptional
        hint="One pattern on each line, as in .gitignore: what decides whether checks pass. What an agent changes there is shown first."
        placeholder="/.github/workflows/"
      />
      {canEdit && <ProposedPaths project={project} {...part} />}
    </FormSection>
  )
}

/** The test command, which agents are only told to run, in one press as a check. */
function ProposedCheck({ form, onChange }: ProjectFieldsProps) {
  const proposed = proposeChecks({
    testCommand: form.test_command,
    checks: form.checks.length > 0 ? form.checks : undefined,
  })
  if (proposed === undefined) return null
  return (
    <>
      <Button isSmall onClick={() => onChange({ checks: proposed.map(toCheckForm) })}>
        Check with {form.test_command.trim()}
      </Button>{' '}
    </>
  )
}

/** What is known of the repository, in one press. */
function ProposedPaths({ project, form, onChange }: ProjectFieldsProps & { readonly project: Project | undefined }) {
  const paths = project?.proposed_protected_paths
  if (paths === undefined || form.protected_paths.length > 0) return null
  return (
    <p className={css['said']}>
      The repository has {paths.join(', ')}.{' '}
      <Button isSmall onClick={() => onChange({ protected_paths: paths })}>
        Protect them
      </Button>
    </p>
  )
}

interface CheckFieldsProps {
  readonly check: CheckForm
  /** From 1. */
  readonly place: number
  readonly onChange: (change: Partial<CheckForm>) => void
  /** Absent for who may not change it. */
  readonly onRemove: (() => void) | undefined
}

function CheckFields({ check, place, onChange, onRemove }: CheckFieldsProps) {
  const bind = (key: 'name' | 'run' | 'timeout' | 'image' | 'env') => ({
    name: `checks[${place - 1}].${key}`,
    value: check[key],
    onChange: (value: string) => onChange({ [key]: value }),
    error: undefined,
  })
  return (
    <fieldset className={css['checked']}>
      <legend>{check.name.trim() === '' ? `Check ${place}` : check.name}</legend>
      <div className={css['pair']}>
        <TextField {...bind('name')} label="Name" isCode placeholder="test" />
        <TextField
          {...bind('timeout')}
          label="Time limit in seconds"
          isOptional
          inputMode="numeric"
          placeholder="1800"
        />
      </div>
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
