import { ListField, SelectField, TextField } from '../../components/fields.tsx'
import { Checkbox, FieldPair, FormSection } from '../../components/form-parts.tsx'
import type { Option } from '../../components/form.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import type { ProjectFieldsProps, ProjectForm } from './project-form.ts'

const SUBMODULES: readonly Option<ProjectForm['submodules']>[] = [
  { value: 'none', label: 'stay empty folders' },
  { value: 'shallow', label: 'the recorded commit alone' },
  { value: 'full', label: 'with their history' },
]

const LFS: readonly Option<ProjectForm['lfs']>[] = [
  { value: 'none', label: 'stay pointers' },
  { value: 'fetch', label: 'have their content' },
]

/** What of the repository an agent finds in its clone. */
export function ProjectCheckout(part: ProjectFieldsProps) {
  const of = bindFields(part)
  const { form, onChange } = part
  const isPartial = form.depth.trim() !== '' || form.filter.trim() !== ''
  return (
    <FormSection title="What a clone holds" isFolded>
      <ListField
        {...of('sparse', 'checkout.sparse')}
        label="Only these folders"
        isOptional
        hint="One on each line, from the top of the repository. Files at the top are always there."
        placeholder="services/shop"
      />
      <FieldPair>
        <SelectField
          {...of('submodules', 'checkout.submodules')}
          label="Submodules"
          hint="On the repository’s own host they are fetched with its login, elsewhere without one."
          options={SUBMODULES}
        />
        <SelectField
          {...of('lfs', 'checkout.lfs')}
          label="Files in Git LFS"
          hint="New content is uploaded with the work either way."
          options={LFS}
        />
      </FieldPair>
      <Checkbox
        label="Borrow from a mirror"
        hint={
          isPartial
            ? 'Not with a depth or a filter: such a clone is fetched from the repository itself.'
            : 'Clones share the objects of one mirror on the data volume, which saves time and disk.'
        }
        isChecked={form.borrow && !isPartial}
        isDisabled={isPartial}
        onChange={(borrow) => onChange({ borrow })}
      />
      <FieldPair>
        <TextField
          {...of('depth', 'checkout.depth')}
          label="Commits of each branch"
          isOptional
          inputMode="numeric"
          placeholder="all"
        />
        <TextField
          {...of('filter', 'checkout.filter')}
          label="Leave out objects"
          isOptional
          hint="blob:none, blob:limit=1m or tree:0. An agent can fetch them later only where everybody may read."
          isCode
          placeholder="none"
        />
      </FieldPair>
    </FormSection>
  )
}
