import type { Project } from '../../../core/rest/client/client.ts'
import { proposeChecks } from '../../../core/execution/check-proposal.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ListField, TextField } from '../../components/fields.tsx'
import { FormError, FormSection } from '../../components/form-parts.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import { CheckFields } from './check-fields.tsx'
import { type CheckForm, type ProjectFieldsProps, toCheckForm } from './project-form.ts'
import css from './projects.module.css'

const NEW_CHECK = toCheckForm({ name: '', run: '' })

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
