/** What a person has begun on the view of a new story, as it is kept in the browser: pure. */
import { isJsonObject, parseJson } from '../../../core/json.ts'
import type { Plan, PlannedTask } from './plan.ts'

export interface Draft {
  readonly prompt: string
  readonly projectId: string
  /** Undefined: there is no plan yet. */
  readonly plan: Plan | undefined
}

export const NO_DRAFT: Draft = { prompt: '', projectId: '', plan: undefined }

/** The draft as text; '' while there is nothing to keep. */
export function formatDraft(draft: Draft): string {
  return draft.prompt === '' && draft.plan === undefined ? '' : JSON.stringify(draft)
}

/** A stored draft; what cannot be read, as one of another version, is none. */
export function parseDraft(text: string): Draft {
  const stored = parseJson(text)
  if (!isJsonObject(stored)) return NO_DRAFT
  const { prompt, projectId, plan } = stored
  if (typeof prompt !== 'string' || typeof projectId !== 'string') return NO_DRAFT
  return { prompt, projectId, plan: isPlan(plan) ? plan : undefined }
}

function isPlan(value: unknown): value is Plan {
  if (!isJsonObject(value)) return false
  const { tasks, criteria, checkSteps, startsAtOnce } = value
  const hasTexts = ['projectId', 'name', 'branchName', 'spec', 'check', 'checkType'].every(
    (field) => typeof value[field] === 'string',
  )
  return hasTexts && typeof startsAtOnce === 'boolean' && isTexts(criteria) && isTexts(checkSteps) && isTasks(tasks)
}

function isTasks(value: unknown): value is readonly PlannedTask[] {
  return Array.isArray(value) && value.every(isTask)
}

function isTask(value: unknown): value is PlannedTask {
  if (!isJsonObject(value)) return false
  return (
    ['key', 'name', 'description', 'agent'].every((field) => typeof value[field] === 'string') &&
    isTasks(value['subtasks'])
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
