/** The plan of a story while a person edits it: pure. */
import type { Answer, Input } from '../../../core/rest/client/client.ts'

type StoryPlan = Awaited<Answer<'elaborateStory'>>
type StoryApproval = Input<'approveStory'>['body']

export interface PlannedTask {
  /** Stays with the task when it moves; of no meaning to the server. */
  readonly key: string
  readonly name: string
  readonly description: string
  /** Name of an agent; '' lets the rules choose. */
  readonly agent: string
  /** Always empty in a subtask. */
  readonly subtasks: readonly PlannedTask[]
}

export interface Plan {
  readonly projectId: string
  readonly name: string
  readonly branchName: string
  readonly spec: string
  readonly criteria: readonly string[]
  readonly check: string
  readonly checkSteps: readonly string[]
  readonly checkType: string
  readonly startsAtOnce: boolean
  /** In the order in which they are done: each waits for the one before it. */
  readonly tasks: readonly PlannedTask[]
}

/** A plan to be filled in by hand. @param wish what was written before, which the tasks are to know */
export function emptyPlan(projectId: string, wish = ''): Plan {
  return {
    projectId,
    name: '',
    branchName: '',
    spec: wish,
    criteria: [],
    check: '',
    checkSteps: [],
    checkType: '',
    startsAtOnce: false,
    tasks: [emptyTask('1')],
  }
}

function emptyTask(key: string): PlannedTask {
  return { key, name: '', description: '', agent: '', subtasks: [] }
}

/** What an agent has planned, to be edited. */
export function planOf(plan: StoryPlan, projectId: string): Plan {
  const { name, branch_name, spec, acceptance_criteria, validation, tasks } = plan
  return {
    projectId,
    name,
    branchName: branch_name,
    spec,
    criteria: acceptance_criteria,
    check: validation.success_criteria,
    checkSteps: validation.steps,
    checkType: validation.type,
    startsAtOnce: false,
    tasks: tasks.map((task, index) => ({
      ...taskOf(task, `${index + 1}`),
      subtasks: (task.subtasks ?? []).map((part, at) => taskOf(part, `${index + 1}.${at + 1}`)),
    })),
  }
}

function taskOf({ name, description, agent }: Omit<StoryPlan['tasks'][number], 'subtasks'>, key: string): PlannedTask {
  return { ...emptyTask(key), name, description, agent: agent ?? '' }
}

/** The plan as the server approves it; what is empty is left out. */
export function toApproval(plan: Plan): StoryApproval {
  const { projectId, name, branchName, spec, criteria, check, checkSteps, checkType, startsAtOnce, tasks } = plan
  const kept = criteria.map((text) => text.trim()).filter((text) => text !== '')
  const validation = {
    ...(checkType === '' ? {} : { type: checkType }),
    ...(checkSteps.length === 0 ? {} : { steps: checkSteps }),
    ...(check.trim() === '' ? {} : { success_criteria: check }),
  }
  return {
    project_id: projectId,
    name,
    ...(branchName.trim() === '' ? {} : { branch_name: branchName.trim() }),
    ...(spec.trim() === '' ? {} : { spec }),
    ...(kept.length === 0 ? {} : { acceptance_criteria: kept }),
    ...(Object.keys(validation).length === 0 ? {} : { validation }),
    run_policy: startsAtOnce ? 'auto' : 'manual',
    tasks: tasks.map((task) => ({
      ...toApprovedTask(task),
      ...(task.subtasks.length === 0 ? {} : { subtasks: task.subtasks.map(toApprovedTask) }),
    })),
  }
}

function toApprovedTask({ name, description, agent }: PlannedTask) {
  return {
    name,
    ...(description.trim() === '' ? {} : { description }),
    ...(agent === '' ? {} : { agent }),
  }
}

/** What approving the plan does, and what begins to run by it. Source: specification §5.12. */
export function approvalWords({ branchName, startsAtOnce, tasks }: Plan): string {
  const branch = branchName.trim() === '' ? 'a branch that is named after the story' : `the branch ${branchName.trim()}`
  const count = tasks.reduce((total, { subtasks }) => total + 1 + subtasks.length, 0)
  const made = `Approving pushes ${branch}, and puts the story with ${count === 1 ? 'its task' : `its ${count} tasks`} into the Backlog: all of it or nothing.`
  const [first] = tasks
  if (!startsAtOnce || first === undefined) return `${made} Nothing runs until somebody runs the story.`
  const name = first.name.trim() === '' ? 'The first task' : `“${first.name.trim()}”`
  const agent = first.agent === '' ? 'the agent that the rules choose' : first.agent
  return `${made} ${name} then starts at once with ${agent}${tasks.length > 1 ? ', and each further task after the one before it' : ''}.`
}

/** The fields of the form, under the names by which the server's refusals call them. */
export function fieldsOf(plan: Plan): readonly string[] {
  const ofTask = (path: string): string[] => ['name', 'description', 'agent'].map((field) => `${path}.${field}`)
  const tasks = plan.tasks.flatMap((task, index) => [
    ...ofTask(`tasks[${index}]`),
    ...task.subtasks.flatMap((_, at) => ofTask(`tasks[${index}].subtasks[${at}]`)),
  ])
  return ['name', 'branch_name', 'spec', 'acceptance_criteria', 'validation', 'project_id', ...tasks]
}

/** What a person does to the tasks of a plan. `key` is that of a task or of a subtask. */
export type TaskEdit =
  | { readonly kind: 'change'; readonly key: string; readonly values: Partial<Omit<PlannedTask, 'key' | 'subtasks'>> }
  | { readonly kind: 'remove'; readonly key: string }
  | { readonly kind: 'move'; readonly key: string; readonly by: 1 | -1 }
  /** At the end of the plan, or as the last part of the task `to`. */
  | { readonly kind: 'add'; readonly to?: string }

/** The tasks after an edit. */
export function editTasks(tasks: readonly PlannedTask[], edit: TaskEdit): readonly PlannedTask[] {
  if (edit.kind === 'add') {
    const added = emptyTask(freshKey(tasks))
    if (edit.to === undefined) return [...tasks, added]
    return tasks.map((task) => (task.key === edit.to ? { ...task, subtasks: [...task.subtasks, added] } : task))
  }
  const within = tasks.map((task) => ({ ...task, subtasks: applyTo(task.subtasks, edit) }))
  return applyTo(within, edit)
}

function applyTo(tasks: readonly PlannedTask[], edit: Exclude<TaskEdit, { kind: 'add' }>): readonly PlannedTask[] {
  const at = tasks.findIndex(({ key }) => key === edit.key)
  const task = tasks[at]
  if (task === undefined) return tasks
  switch (edit.kind) {
    case 'change':
      return tasks.with(at, { ...task, ...edit.values })
    case 'remove':
      return tasks.toSpliced(at, 1)
    case 'move':
      return at + edit.by < 0 ? tasks : tasks.toSpliced(at, 1).toSpliced(at + edit.by, 0, task)
    default:
      return edit satisfies never
  }
}

function freshKey(tasks: readonly PlannedTask[]): string {
  const keys = tasks.flatMap(({ key, subtasks }) => [key, ...subtasks.map((part) => part.key)])
  return String(Math.max(0, ...keys.map((key) => Math.floor(Number(key)))) + 1)
}
