import { useNavigate } from '@tanstack/react-router'
import { FIRST_STORY_STATUSES } from '../../../core/story/transitions.ts'
import type { Story } from '../../../core/rest/client/client.ts'
import { createStory } from '../../api/new-story.ts'
import { useRecords } from '../../api/queries.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { FormError, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import { notify } from '../../components/toast.tsx'
import { STATUS_WORDS } from '../../model/story-status.ts'
import css from './new-story.module.css'

const FIELDS = ['name', 'project_id', 'epic_id', 'status', 'spec', 'acceptance_criteria']
const BEGINNINGS = FIRST_STORY_STATUSES.map((status) => ({ value: status, label: STATUS_WORDS[status] }))

/** A story as it is, to be planned later. */
export function PlainStoryForm({ projectId, onBack }: { readonly projectId: string; readonly onBack: () => void }) {
  const navigate = useNavigate()
  const { data: projects = [] } = useRecords('projects')
  const { data: epics = [] } = useRecords('epics')
  const { form, change, leave, save, isPending, errors } = useForm(undefined, {
    toForm: (): PlainStory => ({ name: '', project: projectId, epic: '', spec: '', status: 'BACKLOG', criteria: [] }),
    fields: FIELDS,
    write: async (_none, typed) => create(typed),
    onDone: ({ id, name }) => {
      notify(`${name}: the story is there`)
      void navigate({ to: '/stories/$storyId', params: { storyId: id } })
    },
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
          save()
        }}
      >
        <Field label="Name" name="name" error={errors.byField.get('name')}>
          <TextInput autoFocus value={form.name} onChange={(name) => change({ name })} />
        </Field>
        <Field label="Project" name="project_id" error={errors.byField.get('project_id')}>
          <Select value={form.project} onChange={(project) => change({ project })} options={listed(projects)} />
        </Field>
        <Field
          label="Epic"
          name="epic_id"
          hint="A theme over several stories: it is the lane of the story on the board."
          error={errors.byField.get('epic_id')}
        >
          <Select value={form.epic} onChange={(epic) => change({ epic })} options={listed(epics)} />
        </Field>
        <Field label="Where it begins" name="status" error={errors.byField.get('status')}>
          <Select value={form.status} onChange={(status) => change({ status })} options={BEGINNINGS} />
        </Field>
        <Field label="Specification" name="spec" isOptional error={errors.byField.get('spec')}>
          <TextArea rows={5} value={form.spec} onChange={(spec) => change({ spec })} />
        </Field>
        <Field
          label="Acceptance criteria"
          name="acceptance_criteria"
          isOptional
          hint="One statement on each line."
          error={errors.byField.get('acceptance_criteria')}
        >
          <ListEditor value={form.criteria} onChange={(criteria) => change({ criteria })} />
        </Field>
        <FormError text={errors.rest} />
        <p className={css['actions']}>
          <Button type="submit" look="primary" isBusy={isPending}>
            Create the story
          </Button>
          <Button look="quiet" onClick={() => leave(onBack)}>
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

async function create({ name, project, epic, spec, status, criteria }: PlainStory): Promise<Story> {
  const kept = criteria.map((text) => text.trim()).filter((text) => text !== '')
  return createStory({
    name,
    status,
    ...(project === '' ? {} : { project_id: project }),
    ...(epic === '' ? {} : { epic_id: epic }),
    ...(spec.trim() === '' ? {} : { spec }),
    ...(kept.length === 0 ? {} : { acceptance_criteria: kept }),
  })
}
