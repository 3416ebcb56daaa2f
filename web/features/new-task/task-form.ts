/** The form of a new task: its values as they are typed, kept as a draft, and the request that they make. Pure. */
import { type JsonObject, parseObject } from '../../../core/json.ts'
import type { Agent, Project, Story, Task, TaskCreate } from '../../../core/rest/client/client.ts'
import type { Problem } from '../../model/field-errors.ts'
import { filled, parseLines, parseNumber } from '../../model/patch.ts'

export interface TaskForm {
  readonly name: string
  readonly description: string
  readonly project: string
  readonly repository_url: string
  /** Empty: one is chosen. */
  readonly agent: string
  readonly model: string
  readonly instructions: string
  readonly allowed_tools: readonly string[]
  readonly story_id: string
  readonly parent_task_id: string
  readonly depends_on: readonly string[]
  /** The accepted task that it goes on from. */
  readonly continues: string
  readonly run_policy: 'manual' | 'auto'
  readonly suspend: boolean
  readonly priority: string
  readonly budget_usd: string
  readonly timeout_seconds: string
  readonly max_attempts: string
  readonly container_image: string
  /** What an agent made the task of; empty where none did. */
  readonly elaboration_input: string
}

export const EMPTY_TASK: TaskForm = {
  name: '',
  description: '',
  project: '',
  repository_url: '',
  agent: '',
  model: '',
  instructions: '',
  allowed_tools: [],
  story_id: '',
  parent_task_id: '',
  depends_on: [],
  continues: '',
  run_policy: 'manual',
  suspend: false,
  priority: '',
  budget_usd: '',
  timeout_seconds: '',
  max_attempts: '',
  container_image: '',
  elaboration_input: '',
}

/** Fields of the request, by which the server names them. */
export const TASK_FIELDS = [
  'name',
  'description',
  'project',
  'repository_url',
  'agent',
  'agent.type',
  'agent.model',
  'agent.instructions',
  'agent.allowed_tools',
  'story_id',
  'parent_task_id',
  'depends_on',
  'continues',
  'run_policy',
  'priority',
  'budget_usd',
  'timeout_seconds',
  'max_attempts',
  'container_image',
] as const

/** Those of the part that is folded away; a refusal of one of them opens it. */
export const ADVANCED_FIELDS: readonly string[] = TASK_FIELDS.slice(TASK_FIELDS.indexOf('run_policy'))

/** What a task may be in, and who may do it. */
export interface Places {
  readonly projects: readonly Pick<Project, 'id'>[]
  readonly stories: readonly Pick<Story, 'id' | 'project_id'>[]
  readonly tasks: readonly Pick<Task, 'id' | 'project' | 'repository_url'>[]
  readonly agents: readonly Pick<Agent, 'id' | 'adapter'>[]
}

/** The form as it opens: the draft, what the address says, and the project where there is but one. */
export function beginForm(draft: TaskForm, search: NewTaskSearch, places: Places): TaskForm {
  const form = {
    ...draft,
    project: search.project ?? draft.project,
    story_id: search.story ?? draft.story_id,
    parent_task_id: search.parent ?? draft.parent_task_id,
    agent: search.agent ?? draft.agent,
    continues: search.continues ?? draft.continues,
  }
  const [only, ...others] = places.projects
  return hasPlace(form, places) || only === undefined || others.length > 0 ? form : { ...form, project: only.id }
}

/**
 * What a run of the task could only fail for, at its field. The task can be created without, to be completed later.
 *
 * Source: specification §1.1.
 */
export function findMissing(form: TaskForm, places: Places): Problem | undefined {
  if (!hasPlace(form, places))
    return {
      field: 'project',
      message: 'To run, it needs a repository: choose a project, or name another repository below.',
    }
  const isScript = places.agents.some(({ id, adapter }) => id === form.agent && adapter === 'script')
  return isScript && form.instructions.trim() === ''
    ? { field: 'agent.instructions', message: 'To run, it needs a script: the commands that are to run in the clone.' }
    : undefined
}

/** Whether there is a repository for the task: its own, or that of its project, story or parent, as far as one knows these. */
function hasPlace({ project, repository_url, story_id, parent_task_id }: TaskForm, places: Places): boolean {
  const story = places.stories.find(({ id }) => id === story_id)
  const parent = places.tasks.find(({ id }) => id === parent_task_id)
  return (
    project !== '' ||
    repository_url.trim() !== '' ||
    (story_id !== '' && (story === undefined || story.project_id !== undefined)) ||
    (parent_task_id !== '' && (parent === undefined || (parent.project ?? parent.repository_url) !== undefined))
  )
}

/** The request of a form, without what is left open. */
export function toTaskCreate(form: TaskForm): TaskCreate {
  const agent = filled({
    type: form.agent,
    model: form.model.trim(),
    instructions: form.instructions,
    allowed_tools: parseLines(form.allowed_tools),
  })
  return {
    name: form.name.trim(),
    ...filled({
      description: form.description,
      project: form.project,
      repository_url: form.repository_url.trim(),
      story_id: form.story_id,
      parent_task_id: form.parent_task_id,
      depends_on: [...form.depends_on],
      continues: form.continues,
      priority: parseNumber(form.priority),
      budget_usd: parseNumber(form.budget_usd),
      timeout_seconds: parseNumber(form.timeout_seconds),
      max_attempts: parseNumber(form.max_attempts),
      container_image: form.container_image.trim(),
      elaboration_input: form.elaboration_input,
    }),
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(form.run_policy === 'manual' ? {} : { run_policy: form.run_policy }),
    ...(form.suspend ? { suspend: true } : {}),
  }
}

/** The form with what an agent made of a request; what it leaves open stays as it was. */
export function withElaboration(form: TaskForm, made: TaskCreate): TaskForm {
  const { name, description, agent, depends_on, elaboration_input, priority } = made
  return {
    ...form,
    name,
    ...filled({ description, elaboration_input, model: agent?.model, instructions: agent?.instructions }),
    ...(agent?.type === undefined ? {} : { agent: agent.type }),
    ...(depends_on === undefined ? {} : { depends_on }),
    ...(priority === undefined ? {} : { priority: String(priority) }),
  }
}

/** The stored draft, as far as this version knows its fields; a text that is none gives the empty form. */
export function parseDraft(text: string): TaskForm {
  return readForm(parseObject(text))
}

/** A form of stored members, as far as they fit. */
export function readForm(stored: JsonObject): TaskForm {
  const known = Object.entries(EMPTY_TASK).map(([name, empty]: [string, unknown]) => {
    const value = stored[name]
    return [name, isLike(value, empty) ? value : empty]
  })
  return { ...EMPTY_TASK, ...Object.fromEntries(known) }
}

function isLike(value: unknown, empty: unknown): boolean {
  if (!Array.isArray(empty)) return typeof value === typeof empty
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** What becomes of the choice of an agent. */
export function agentHint(form: Pick<TaskForm, 'agent'>, agents: readonly Agent[]): string {
  if (form.agent === '') {
    const free = agents.filter(
      ({ adapter, status }) => adapter !== 'script' && status.state !== 'drained' && status.state !== 'unavailable',
    )
    if (free.length === 0)
      return 'Left open, one is chosen by what the task is about. None of them can take a task now: choose one, or mend an agent.'
    return `Left open, one is chosen by what the task is about, among ${free.map(({ id }) => id).join(', ')}. Scripts are never chosen.`
  }
  const agent = agents.find(({ id }) => id === form.agent)
  if (agent === undefined) return ''
  const { reason, queued } = agent.status
  return reason ?? (queued === 0 ? 'Nothing waits for it.' : `${queued} tasks wait for it already.`)
}

/** Search parameters of /tasks/new: what the new task is to belong to, and who is to do it. */
export interface NewTaskSearch {
  readonly project?: string
  readonly story?: string
  readonly parent?: string
  readonly agent?: string
  /** The accepted task that it goes on from. */
  readonly continues?: string
}

export function parseNewTaskSearch(search: Readonly<Record<string, unknown>>): NewTaskSearch {
  const text = (name: string): string | undefined => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return filled({
    project: text('project'),
    story: text('story'),
    parent: text('parent'),
    agent: text('agent'),
    continues: text('continues'),
  })
}
