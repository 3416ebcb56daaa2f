/** An edit of a task with its draft: what others change meanwhile is merged, or told beside the field. */
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { ApiFailure } from '../../../core/rest/client/call.ts'
import { useDraft } from '../../api/drafts.ts'
import { useHeld } from '../../api/unsaved.ts'
import { useSave } from '../../api/use-save.ts'
import { readTask, updateTask } from '../../api/task-details.ts'
import { notify } from '../../components/toast.tsx'
import { type FieldErrors, NO_ERRORS } from '../../model/field-errors.ts'
import { type Editing, conflictsOf, continueEdit, parseEditDraft, rebase, toTaskEdit, toTaskForm } from './edit-form.ts'
import { type TaskForm, TASK_FIELDS } from './task-form.ts'

const NOT_SAVED = 'Nothing was saved: somebody else has changed the task meanwhile. What you typed is kept.'

export function useEditTask(task: Task) {
  const navigate = useNavigate()
  const [draft, setDraft] = useDraft(`edit-task.${task.id}`)
  const [begun] = useState(() => begin(draft, task))
  const [editing, setEditing] = useState(begun.editing)
  // What a save that ends finds typed, however long ago it began.
  const current = useRef(editing)
  useHeld(isChanged(editing))
  const [refusal, setRefusal] = useState(begun.refusal)
  const set = (next: Editing): void => {
    current.current = next
    setEditing(next)
    setDraft(isChanged(next) ? JSON.stringify(next) : '')
  }
  const leave = (): void => {
    setDraft('')
    void navigate({ to: '/tasks/$taskId', params: { taskId: task.id } })
  }
  const { save, isPending, errors } = useSave((sent: Editing) => saveEdit(task.id, sent), {
    fields: TASK_FIELDS,
    onDone: (saved, sent) => {
      const next = continueEdit(current.current, sent, saved.editing)
      set(next)
      setRefusal(saved.refusal ?? NO_ERRORS)
      if (saved.refusal !== undefined) return
      notify(`${saved.editing.typed.name}: saved`)
      if (!isChanged(next)) leave()
    },
  })
  return {
    form: editing.typed,
    change: (changed: Partial<TaskForm>) => set({ ...editing, typed: { ...editing.typed, ...changed } }),
    isChanged: isChanged(editing),
    save: () => save(editing),
    isSaving: isPending,
    errors: {
      byField: new Map([...refusal.byField, ...errors.byField]),
      rest: errors.rest === '' ? refusal.rest : errors.rest,
    },
    leave,
  }
}

/** What was typed before, on the task as it is now: a draft may say something else than what others have written since. */
function begin(draft: string, task: Task): { readonly editing: Editing; readonly refusal: FieldErrors } {
  const kept = parseEditDraft(draft)
  if (kept === undefined) return { editing: unchanged(task), refusal: NO_ERRORS }
  return { editing: onto(kept, task), refusal: { byField: conflictsOf(kept, toTaskForm(task)), rest: '' } }
}

function unchanged(task: Task): Editing {
  const form = toTaskForm(task)
  return { base: form, typed: form }
}

function onto(editing: Editing, task: Task): Editing {
  const base = toTaskForm(task)
  return { base, typed: rebase(editing, base) }
}

function isChanged({ base, typed }: Editing): boolean {
  return JSON.stringify(base) !== JSON.stringify(typed)
}

interface Saved {
  /** What is typed, on the task as it was read for this. */
  readonly editing: Editing
  /** Why nothing was saved: somebody else has changed the same. */
  readonly refusal: FieldErrors | undefined
}

/** @throws ApiFailure what the server refuses for another reason */
async function saveEdit(id: string, editing: Editing): Promise<Saved> {
  const read = await readTask(id)
  const next = onto(editing, read.task)
  const conflicts = conflictsOf(editing, next.base)
  if (conflicts.size > 0) return { editing: next, refusal: { byField: conflicts, rest: NOT_SAVED } }
  try {
    return { editing: unchanged(await updateTask(read, toTaskEdit(next.base, next.typed))), refusal: undefined }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 412) throw error
    // Somebody was faster since it was read; the operator, if it has changed nothing of this form.
    const { task } = await readTask(id)
    const now = toTaskForm(task)
    if (JSON.stringify(now) === JSON.stringify(next.base)) return saveEdit(id, next)
    const byField = conflictsOf(next, now)
    return { editing: onto(next, task), refusal: { byField, rest: `${NOT_SAVED} (${error.message})` } }
  }
}
