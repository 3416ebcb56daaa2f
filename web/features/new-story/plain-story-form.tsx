import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FIRST_STORY_STATUSES } from '../../../core/story/transitions.ts'
import { createStory } from '../../api/new-story.ts'
import { useRecords } from '../../api/queries.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { FormError, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import { notify } from '../../components/toast.tsx'
import { errorsOfMessage, NO_ERRORS } from '../../model/field-errors.ts'
import { STATUS_WORDS } from '../../model/story-status.ts'
import css from './new-story.module.css'

const FIELDS = ['name', 'project_id', 'epic_id', 'status', 'spec', 'acceptance_criteria']
const BEGINNINGS = FIRST_STORY_STATUSES.map((status) => ({ value: status, label: STATUS_WORDS[status] }))

/** A story as it is, to be planned later. */
export function PlainStoryForm({ projectId, onBack }: { readonly projectId: string; readonly onBack: () => void }) {
  const navigate = useNavigate()
  const { data: projects = [] } = useRecords('projects')
  const { data: epics = [] } = useRecords('epics')
  const [values, setValues] = useState({ name: '', project: projectId, epic: '', spec: '' })
  const [status, setStatus] = useState<(typeof FIRST_STORY_STATUSES)[number]>('BACKLOG')
  const [criteria, setCriteria] = useState<readonly string[]>([])
  const [errors, setErrors] = useState(NO_ERRORS)
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed })
  const { decide, isPending } = useDecision(() => create({ ...values, status, criteria }), {
    onDone: (id) => {
      notify(`${values.name}: the story is there`)
      void navigate({ to: '/stories/$storyId', params: { storyId: id } })
    },
    onRefused: (message) => setErrors(errorsOfMessage(message, FIELDS)),
  })
  const listed = (records: readonly { readonly id: string; readonly name: string }[]) => [
    { value: '', label: 'none' },
    ...records.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <div className={css['page']}>
      <form
        className={css['form']}
        aria-label="Story without tasks"
        onSubmit={(event) => {
          event.preventDefault()
          decide(undefined)
        }}
      >
        <Field label="Name" name="name" error={errors.byField.get('name')}>
          <TextInput autoFocus value={values.name} onChange={(name) => set({ name })} />
        </Field>
        <Field label="Project" name="project_id" error={errors.byField.get('project_id')}>
          <Select value={values.project} onChange={(project) => set({ project })} options={listed(projects)} />
        </Field>
        <Field label="Epic" name="epic_id" error={errors.byField.get('epic_id')}>
          <Select value={values.epic} onChange={(epic) => set({ epic })} options={listed(epics)} />
        </Field>
        <Field label="Where it begins" name="status" error={errors.byField.get('status')}>
          <Select value={status} onChange={setStatus} options={BEGINNINGS} />
        </Field>
        <Field label="Specification" name="spec" isOptional error={errors.byField.get('spec')}>
          <TextArea rows={5} value={values.spec} onChange={(spec) => set({ spec })} />
        </Field>
        <Field
          label="Acceptance criteria"
          name="acceptance_criteria"
          isOptional
          hint="One statement on each line."
          error={errors.byField.get('acceptance_criteria')}
        >
          <ListEditor value={criteria} onChange={setCriteria} />
        </Field>
        <FormError text={errors.rest} />
        <p className={css['actions']}>
          <Button type="submit" look="primary" isBusy={isPending}>
            Create the story
          </Button>
          <Button look="quiet" onClick={onBack}>
            Back
          </Button>
        </p>
      </form>
    </div>
  )
}

interface PlainStory {
  readonly name: string
  readonly project: string
  readonly epic: string
  readonly spec: string
  readonly status: (typeof FIRST_STORY_STATUSES)[number]
  readonly criteria: readonly string[]
}

async function create({ name, project, epic, spec, status, criteria }: PlainStory): Promise<string> {
  const kept = criteria.map((text) => text.trim()).filter((text) => text !== '')
  const { id } = await createStory({
    name,
    status,
    ...(project === '' ? {} : { project_id: project }),
    ...(epic === '' ? {} : { epic_id: epic }),
    ...(spec.trim() === '' ? {} : { spec }),
    ...(kept.length === 0 ? {} : { acceptance_criteria: kept }),
  })
  return id
}
