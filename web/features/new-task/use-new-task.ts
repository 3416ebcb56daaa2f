/** The form of a new task with its draft, and what the server says of it. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Validation } from '../../../core/rest/client/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { useRecords } from '../../api/queries.ts'
import { createTask, elaborateTask, validateTask } from '../../api/setup.ts'
import { useHeld } from '../../api/unsaved.ts'
import { useSave } from '../../api/use-save.ts'
import { notify, refuse } from '../../components/toast.tsx'
import { errorsOf } from '../../model/field-errors.ts'
import {
  type NewTaskSearch,
  type Places,
  type TaskForm,
  beginForm,
  findMissing,
  parseDraft,
  TASK_FIELDS,
  toTaskCreate,
  withElaboration,
} from './task-form.ts'

export function useNewTask(search: NewTaskSearch) {
  const navigate = useNavigate()
  const [draft, setDraft] = useDraft('new-task')
  const places = usePlaces()
  const [typed, setForm] = useState<TaskForm>()
  // Until somebody types, the form follows the draft and the projects, which may come after the page.
  const form = typed ?? beginForm(parseDraft(draft), search, places)
  const missing = findMissing(form, places)
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
      setForm(undefined)
      setDraft('')
      setRemarks(undefined)
      setErrors(errorsOf([], TASK_FIELDS))
    },
    create: (isRun: boolean) => {
      if (missing !== undefined && (isRun || form.run_policy === 'auto')) setErrors(errorsOf([missing], TASK_FIELDS))
      else save({ typed: form, isRun })
    },
    isCreating: isPending,
    errors,
    remarks,
    check: (isAgentAsked: boolean) => check.mutate(isAgentAsked),
    isChecking: check.isPending,
    elaborate: () => elaborate.mutate(),
    isElaborating: elaborate.isPending,
  }
}

function usePlaces(): Places {
  const { data: projects = [] } = useRecords('projects')
  const { data: stories = [] } = useRecords('stories')
  const { data: tasks = [] } = useRecords('tasks')
  const { data: agents = [] } = useRecords('agents')
  return { projects, stories, tasks, agents }
}
