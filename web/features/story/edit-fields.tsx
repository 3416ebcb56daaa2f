import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import type { StoryPatch } from '../../api/story-details.ts'
import { Button } from '../../components/button.tsx'
import { FormError, ListEditor } from '../../components/form-parts.tsx'
import { Field, Select, TextArea, TextInput } from '../../components/form.tsx'
import css from './story.module.css'
import { useEditing } from './use-editing.ts'

export interface EditProps {
  readonly story: Story
  readonly onEnd: () => void
}

interface EditFormProps extends EditProps {
  readonly patch: StoryPatch
  /** What the story has now, shown when somebody else has changed it meanwhile. */
  readonly stored: string
  readonly children: ReactNode
}

/** The frame of an edit in place: its field, what was refused, Save and Cancel. */
function EditForm({ story, patch, stored, children, onEnd }: EditFormProps) {
  const { save, isPending, refusal } = useEditing(story, onEnd)
  return (
    <form
      className={css['edit']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onEnd()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        save(patch)
      }}
    >
      {children}
      <FormError text={refusal} />
      {refusal !== '' && (
        <div className={css['stored']}>
          <p>The story has this now:</p>
          <pre>{stored === '' ? 'nothing' : stored}</pre>
        </div>
      )}
      <p className={css['editActions']}>
        <Button type="submit" look="primary" isSmall isBusy={isPending}>
          {refusal === '' ? 'Save' : 'Save mine over it'}
        </Button>
        <Button isSmall look="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </p>
    </form>
  )
}

export function EditName({ story, onEnd }: EditProps) {
  const [name, setName] = useState(story.name)
  return (
    <EditForm story={story} onEnd={onEnd} patch={{ name }} stored={story.name}>
      <Field label="Name" name="name">
        <TextInput value={name} onChange={setName} autoFocus />
      </Field>
    </EditForm>
  )
}

export function EditSpec({ story, onEnd }: EditProps) {
  const [spec, setSpec] = useState(story.spec ?? '')
  return (
    <EditForm story={story} onEnd={onEnd} patch={{ spec: spec === '' ? null : spec }} stored={story.spec ?? ''}>
      <Field label="Specification" name="spec" hint="Markdown. Every task of the story is given it.">
        <TextArea rows={10} value={spec} onChange={setSpec} autoFocus />
      </Field>
    </EditForm>
  )
}

export function EditCriteria({ story, onEnd }: EditProps) {
  const [lines, setLines] = useState<readonly string[]>(story.acceptance_criteria)
  const criteria = lines.map((line) => line.trim()).filter((line) => line !== '')
  return (
    <EditForm
      story={story}
      onEnd={onEnd}
      patch={{ acceptance_criteria: criteria }}
      stored={story.acceptance_criteria.join('\n')}
    >
      <Field
        label="Acceptance criteria"
        name="acceptance_criteria"
        hint="One statement on each line, which must hold when the story is done. Agents judge each of them."
      >
        <ListEditor value={lines} onChange={setLines} />
      </Field>
    </EditForm>
  )
}

/** Epic and priority, which place the story on the board. */
export function EditPlace({ story, onEnd }: EditProps) {
  const { data: epics = [] } = useRecords('epics')
  const [epic, setEpic] = useState(story.epic_id ?? '')
  const [priority, setPriority] = useState(String(story.priority))
  // What was not touched is not sent, so that only what this person changed can conflict.
  const patch: StoryPatch = {
    ...(epic === (story.epic_id ?? '') ? {} : { epic_id: epic === '' ? null : epic }),
    ...(Number(priority) === story.priority ? {} : { priority: Number(priority) }),
  }
  const stored = `epic ${story.epic_id ?? 'none'}, priority ${story.priority}`
  return (
    <EditForm story={story} onEnd={onEnd} patch={patch} stored={stored}>
      <Field label="Epic" name="epic_id">
        <Select
          value={epic}
          onChange={setEpic}
          autoFocus
          options={[{ value: '', label: 'none' }, ...epics.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      </Field>
      <Field label="Priority" name="priority" hint="A whole number; the lower, the earlier.">
        <TextInput value={priority} onChange={setPriority} inputMode="numeric" pattern="-?[0-9]+" required />
      </Field>
    </EditForm>
  )
}
