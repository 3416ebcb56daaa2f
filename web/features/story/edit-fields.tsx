import { type ReactNode, useState } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import type { StoryPatch } from '../../api/story-edit.ts'
import { askToClose, useUnsaved } from '../../api/unsaved.ts'
import { Button } from '../../components/button.tsx'
import { EditConflict } from '../../components/edit-conflict.tsx'
import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { onEscape } from '../../components/on-escape.ts'
import css from './story.module.css'
import { type Editing, useEditing } from './use-editing.ts'

export interface EditProps {
  readonly story: Story
  readonly onEnd: () => void
}

interface EditFormProps {
  readonly editing: Editing
  /** What this person changed: nothing else is sent, so nothing else can conflict. */
  readonly patch: StoryPatch
  readonly children: ReactNode
}

/** The frame of an edit in place: its fields, what was refused, Save and Cancel. */
function EditForm({ editing, patch, children }: EditFormProps) {
  const { save, end, isPending, errors, conflict } = editing
  const isTouched = Object.keys(patch).length > 0
  useUnsaved(isTouched)
  return (
    <form
      className={css['edit']}
      onKeyDown={onEscape(() => (isTouched ? askToClose(end) : end()))}
      onSubmit={(event) => {
        event.preventDefault()
        if (isTouched) save(patch)
        else end()
      }}
    >
      {children}
      <FormError text={errors.rest} />
      {conflict !== undefined && <EditConflict changes={conflict} />}
      <p className={css['editActions']}>
        <Button type="submit" look="primary" isSmall isBusy={isPending}>
          {conflict === undefined ? 'Save' : 'Save mine over it'}
        </Button>
        <Button isSmall look="quiet" onClick={end}>
          Cancel
        </Button>
      </p>
    </form>
  )
}

export function EditName({ story, onEnd }: EditProps) {
  const [name, setName] = useState<string>()
  const editing = useEditing(story, onEnd, [{ label: 'Name', textOf: (version) => version.name }])
  return (
    <EditForm editing={editing} patch={name === undefined ? {} : { name }}>
      <TextField
        label="Name"
        name="name"
        error={editing.errors.byField.get('name')}
        value={name ?? story.name}
        onChange={setName}
        autoFocus
      />
    </EditForm>
  )
}

export function EditSpec({ story, onEnd }: EditProps) {
  const [spec, setSpec] = useState<string>()
  const editing = useEditing(story, onEnd, [{ label: 'Specification', textOf: (version) => version.spec ?? '' }])
  return (
    <EditForm editing={editing} patch={spec === undefined ? {} : { spec: spec === '' ? null : spec }}>
      <AreaField
        label="Specification"
        name="spec"
        hint="Markdown. Every task of the story is given it."
        error={editing.errors.byField.get('spec')}
        rows={10}
        value={spec ?? story.spec ?? ''}
        onChange={setSpec}
        autoFocus
      />
    </EditForm>
  )
}

export function EditCriteria({ story, onEnd }: EditProps) {
  const [lines, setLines] = useState<readonly string[]>()
  const criteria = lines?.map((line) => line.trim()).filter((line) => line !== '')
  const editing = useEditing(story, onEnd, [
    { label: 'Acceptance criteria', textOf: (version) => version.acceptance_criteria.join('\n') },
  ])
  return (
    <EditForm editing={editing} patch={criteria === undefined ? {} : { acceptance_criteria: criteria }}>
      <ListField
        label="Acceptance criteria"
        name="acceptance_criteria"
        hint="One statement on each line, which must hold when the story is done. Agents judge each of them."
        error={editing.errors.byField.get('acceptance_criteria')}
        value={lines ?? story.acceptance_criteria}
        onChange={setLines}
      />
    </EditForm>
  )
}

/** Epic and priority, which place the story on the board. */
export function EditPlace({ story, onEnd }: EditProps) {
  const { data: epics = [] } = useRecords('epics')
  const [epic, setEpic] = useState<string>()
  const [priority, setPriority] = useState<string>()
  const nameOf = (id: string | undefined): string => epics.find((known) => known.id === id)?.name ?? id ?? 'none'
  const editing = useEditing(story, onEnd, [
    ...(epic === undefined ? [] : [{ label: 'Epic', textOf: (version: Story) => nameOf(version.epic_id) }]),
    ...(priority === undefined ? [] : [{ label: 'Priority', textOf: (version: Story) => String(version.priority) }]),
  ])
  const patch: StoryPatch = {
    ...(epic === undefined ? {} : { epic_id: epic === '' ? null : epic }),
    ...(priority === undefined ? {} : { priority: Number(priority) }),
  }
  const { byField } = editing.errors
  return (
    <EditForm editing={editing} patch={patch}>
      <SelectField
        label="Epic"
        name="epic_id"
        hint="A theme over several stories: it is the lane of the story on the board."
        error={byField.get('epic_id')}
        value={epic ?? story.epic_id ?? ''}
        onChange={setEpic}
        autoFocus
        options={[{ value: '', label: 'none' }, ...epics.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <TextField
        label="Priority"
        name="priority"
        hint="A whole number; the lower, the earlier."
        error={byField.get('priority')}
        value={priority ?? String(story.priority)}
        onChange={setPriority}
        inputMode="numeric"
        pattern="-?[0-9]+"
        required
      />
    </EditForm>
  )
}
