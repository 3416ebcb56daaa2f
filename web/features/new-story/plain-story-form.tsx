import { useNavigate } from '@tanstack/react-router'
import { FIRST_STORY_STATUSES } from '../../../core/story/transitions.ts'
import type { Story } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { createStory } from '../../api/new-story.ts'
import { useRecords } from '../../api/queries.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { notify } from '../../components/toast.tsx'
import css from './new-story.module.css'

const FIELDS = ['name', 'project_id', 'epic_id', 'status', 'spec', 'acceptance_criteria']
const BEGINNINGS = FIRST_STORY_STATUSES.map((status) => ({ value: status, label: STORY_STATUS_LABELS[status] }))

/** A story as it is, to be planned later. */
export function PlainStoryForm({ projectId, onBack }: { readonly projectId: string; readonly onBack: () => void }) {
  const navigate = useNavigate()
  const { data: projects = [] } = useRecords('projects')
  const { data: epics = [] } = useRecords('epics')
  const { of, leave, save, isPending, errors } = useForm(undefined, {
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
        <TextField {...of('name')} label="Name" autoFocus />
        <SelectField {...of('project', 'project_id')} label="Project" options={listed(projects)} />
        <SelectField
          {...of('epic', 'epic_id')}
          label="Epic"
          hint="A theme over several stories: it is the lane of the story on the board."
          options={listed(epics)}
        />
        <SelectField {...of('status')} label="Where it begins" options={BEGINNINGS} />
        <AreaField {...of('spec')} label="Specification" isOptional rows={5} />
        <ListField
          {...of('criteria', 'acceptance_criteria')}
          label="Acceptance criteria"
          isOptional
          hint="One statement on each line."
        />
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
