/** The same form for a task that is there already: what a person changes in it, beside what others change. Pure. */
import { asRecord, parseObject } from '../../../core/json.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { patchOf } from '../../model/patch.ts'
import { type TaskForm, EMPTY_TASK, readForm, toTaskCreate } from './task-form.ts'

/** What is typed, and what it was made from: what others change meanwhile is not taken for a change of this person. */
export interface Editing {
  readonly base: TaskForm
  readonly typed: TaskForm
}

/** The form of a task as its record has it. */
export function toTaskForm(task: Task): TaskForm {
  const { agent } = task
  return {
    name: task.name,
    description: task.description ?? '',
    project: task.project ?? '',
    repository_url: task.repository_url ?? '',
    agent: agent?.type ?? '',
    model: agent?.model ?? '',
    instructions: agent?.instructions ?? '',
    allowed_tools: agent?.allowed_tools ?? [],
    story_id: task.story_id ?? '',
    parent_task_id: task.parent_task_id ?? '',
    depends_on: task.depends_on,
    continues: task.continues ?? '',
    run_policy: task.run_policy,
    suspend: task.suspend ?? false,
    priority: String(task.priority ?? ''),
    budget_usd: String(task.budget_usd ?? ''),
    timeout_seconds: String(task.timeout_seconds ?? ''),
    max_attempts: String(task.max_attempts ?? ''),
    container_image: task.container_image ?? '',
    elaboration_input: task.elaboration_input ?? '',
  }
}

/** The edit that makes a task of `base` what the form says; empty where that is the same. */
export function toTaskEdit(base: TaskForm, typed: TaskForm) {
  return patchOf(toTaskCreate(base), toTaskCreate(typed))
}

const NAMES = Object.keys(EMPTY_TASK).filter((name): name is keyof TaskForm => name in EMPTY_TASK)

/** What is typed, made anew from the task as it is now: fields that the person has not changed are those of `now`. */
export function rebase({ base, typed }: Editing, now: TaskForm): TaskForm {
  const taken = NAMES.filter((name) => isSame(typed[name], base[name])).map((name) => [name, now[name]])
  return { ...typed, ...Object.fromEntries(taken) }
}

/** What goes on being edited once `sent` was saved, or refused, on `base`: what was typed meanwhile stays. */
export function continueEdit(current: Editing, sent: Editing, { base, typed }: Editing): Editing {
  return { base, typed: rebase({ base: sent.typed, typed: current.typed }, typed) }
}

/** The fields, by their REST names, that the person and somebody else have changed differently, each with words for it. */
export function conflictsOf({ base, typed }: Editing, now: TaskForm): ReadonlyMap<string, string> {
  const both = NAMES.filter(
    (name) => !isSame(typed[name], base[name]) && !isSame(now[name], base[name]) && !isSame(typed[name], now[name]),
  )
  return new Map(both.map((name) => [fieldOf(name), conflictWords(now[name])]))
}

function conflictWords(value: TaskForm[keyof TaskForm]): string {
  const text = showUnseen(Array.isArray(value) ? value.join(', ') : String(value))
  const now = text === '' ? 'empty' : `“${text}”`
  return `Somebody else has changed this: it is ${now} now. Save again to replace it.`
}

function fieldOf(name: keyof TaskForm): string {
  if (name === 'agent') return 'agent.type'
  return ['model', 'instructions', 'allowed_tools'].includes(name) ? `agent.${name}` : name
}

function isSame(a: TaskForm[keyof TaskForm], b: TaskForm[keyof TaskForm]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The stored draft; undefined for a text that is none. */
export function parseEditDraft(text: string): Editing | undefined {
  const stored = parseObject(text)
  const [base, typed] = [asRecord(stored['base']), asRecord(stored['typed'])]
  const isWhole = [base, typed].every((form) => Object.keys(form).length > 0)
  return isWhole ? { base: readForm(base), typed: readForm(typed) } : undefined
}
