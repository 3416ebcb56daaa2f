/** The form of a new task with its draft, and what the server says of it. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Validation } from '../../../core/rest/client/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { createTask, elaborateTask, validateTask } from '../../api/setup.ts'
import { useHeld } from '../../api/unsaved.ts'
import { useSave } from '../../api/use-save.ts'
import { notify, refuse } from '../../components/toast.tsx'
import { errorsOf } from '../../model/field-errors.ts'
import {
  type NewTaskSearch,
  type TaskForm,
  EMPTY_TASK,
  parseDraft,
  TASK_FIELDS,
  toTaskCreate,
  withElaboration,
} from './task-form.ts'

export function useNewTask({ project, story, parent }: NewTaskSearch) {
  const navigate = useNavigate()
  const [draft, setDraft] = useDraft('new-task')
  const [form, setForm] = useState((): TaskForm => {
    const kept = parseDraft(draft)
    return {
      ...kept,
      project: project ?? kept.project,
      story_id: story ?? kept.story_id,
      parent_task_id: parent ?? kept.parent_task_id,
    }
  })
  useHeld(draft !== '')
  const [remarks, setRemarks] = useState<Validation>()
  const set = (next: TaskForm): void => {
    setForm(next)
    setDraft(JSON.stringify(next))
  }
  const { save, isPending, errors, setErrors } = useSave(
    ({ typed, isRun }: { readonly typed: TaskForm; readonly isRun: boolean }) => createTask(toTaskCreate(typed), isRun),
    {
      fields: TASK_FIELDS,
      onDone: ({ task, refusal }) => {
        setDraft('')
        if (refusal === undefined) notify(`${task.name} created`)
        else refuse(`${task.name} was created, but does not run: ${refusal}`)
        void navigate({ to: '/tasks/$taskId', params: { taskId: task.id } })
      },
    },
  )
  const check = useMutation({
    mutationFn: (isAgentAsked: boolean) => validateTask(toTaskCreate(form), isAgentAsked),
    onSuccess: (found) => {
      setRemarks(found)
      setErrors(errorsOf(found.errors, TASK_FIELDS))
    },
    onError: (error) => refuse(error.message),
  })
  const elaborate = useMutation({
    mutationFn: () =>
      elaborateTask([form.name, form.description].join('\n\n').trim(), form.project === '' ? undefined : form.project),
    onSuccess: (made) => {
      set(withElaboration(form, made))
      notify('An agent has written the task out. Read it before you create it.')
    },
    onError: (error) => refuse(error.message),
  })
  return {
    form,
    change: (changed: Partial<TaskForm>) => set({ ...form, ...changed }),
    clear: () => {
      setForm(EMPTY_TASK)
      setDraft('')
      setRemarks(undefined)
    },
    create: (isRun: boolean) => save({ typed: form, isRun }),
    isCreating: isPending,
    errors,
    remarks,
    check: (isAgentAsked: boolean) => check.mutate(isAgentAsked),
    isChecking: check.isPending,
    elaborate: () => elaborate.mutate(),
    isElaborating: elaborate.isPending,
  }
}
