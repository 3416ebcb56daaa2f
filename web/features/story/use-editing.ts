import { useMemo } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { type StoryPatch, useStoryEdit } from '../../api/story-edit.ts'
import { notify } from '../../components/toast.tsx'
import { type FieldChange, type ShownField, fieldChanges } from '../../model/field-changes.ts'
import { type FieldErrors, errorsOfMessage } from '../../model/field-errors.ts'

const FIELDS = ['name', 'spec', 'acceptance_criteria', 'epic_id', 'priority']

export interface Editing {
  readonly save: (patch: StoryPatch) => void
  readonly end: () => void
  readonly isPending: boolean
  /** What the server does not take, at its fields. */
  readonly errors: FieldErrors
  /** What somebody else has changed meanwhile of what this person edits; undefined while nobody has. */
  readonly conflict: readonly FieldChange[] | undefined
}

/** An edit of some fields of a story, from the story as it is when the edit begins. */
export function useEditing(story: Story, onEnd: () => void, fields: readonly ShownField<Story>[]): Editing {
  const { save, isPending, refusal, conflict } = useStoryEdit(story, () => {
    notify(`${story.name}: saved`)
    onEnd()
  })
  const errors = useMemo(() => errorsOfMessage(refusal, FIELDS), [refusal])
  return {
    save,
    end: onEnd,
    isPending,
    errors,
    conflict: conflict && fieldChanges(conflict.before, conflict.now, fields),
  }
}
