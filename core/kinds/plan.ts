import type { Story, Task } from '../crd/types.ts'
import { authoredBy } from '../four-eyes.ts'
import { LABELS, MANAGED_BY } from '../names.ts'
import { hasSecret } from '../redact-urls.ts'
import { withoutAbsent } from '../omit.ts'
import { STORY } from './story.ts'
import { type AgentConfigInput, type TaskInput, TASK } from './task.ts'
import type { ApprovedTask, StoryApproval } from '../rest/requests/approve.ts'

/** What a plan becomes a story with, beside what the plan says. */
export interface PlanPlace {
  /** The story's name: all other names follow from it. */
  readonly id: string
  readonly namespace: string
  /** The repository that all its tasks clone: the project's, when the plan was approved. */
  readonly remoteUrl: string
  /** Who approved the plan: story and tasks are theirs. */
  readonly author: string
}

/** The objects of a plan. */
export interface PlannedStory {
  readonly story: Story
  /** In the order of their creation: what a task refers to comes before it. */
  readonly tasks: readonly Task[]
}

/**
 * A plan as objects, the same for the same plan and place: whoever creates them again finds them there already.
 *
 * Each task waits for the one before it. Its subtasks are queued by its own success (specification §4.14), so they
 * never start by themselves; among one another they wait in the plan's order, because they share the story's branch.
 *
 * Source: specification §5.12.
 */
export function planStory(plan: StoryApproval, place: PlanPlace): PlannedStory {
  const { tasks, run_policy: _, ...input } = plan
  const story = STORY.make(metadataOf(place.id, place), STORY.toSpec(input))
  return { story, tasks: tasks.flatMap((task, i) => planTask(plan, task, i, place)) }
}

/** Name of the `n`-th task of a story's plan, counted from 1; two digits, so that names sort as tasks follow. */
function plannedTaskName(story: string, n: number): string {
  return `${story}-t${twoDigits(n)}`
}

/** Name of the `n`-th subtask of a planned task. */
function plannedSubtaskName(task: string, n: number): string {
  return `${task}-s${twoDigits(n)}`
}

function planTask(plan: StoryApproval, planned: ApprovedTask, i: number, place: PlanPlace): Task[] {
  const id = plannedTaskName(place.id, i + 1)
  // A URL with a secret is refused in what is new, and the project's own is used then.
  const url = hasSecret(place.remoteUrl) ? {} : { repository_url: place.remoteUrl }
  const shared = { project: plan.project_id, ...url, story_id: place.id }
  const before = i === 0 ? undefined : [plannedTaskName(place.id, i)]
  const task = makeTask(id, place, planned, {
    ...shared,
    ...withoutAbsent({ depends_on: before, run_policy: plan.run_policy }),
  })
  const subtasks = (planned.subtasks ?? []).map((subtask, k) => {
    const sibling = k === 0 ? undefined : [plannedSubtaskName(id, k)]
    const wiring = { ...shared, parent_task_id: id, ...withoutAbsent({ depends_on: sibling }) }
    return makeTask(plannedSubtaskName(id, k + 1), place, subtask, wiring)
  })
  return [task, ...subtasks]
}

function makeTask(
  id: string,
  place: PlanPlace,
  planned: Omit<ApprovedTask, 'subtasks'>,
  wiring: Omit<TaskInput, 'name'>,
): Task {
  const { name, description, agent } = planned
  const about = { name, ...withoutAbsent({ description, agent: toAgentConfig(agent) }) }
  return TASK.make(metadataOf(id, place), TASK.toSpec({ ...about, ...wiring }))
}

/** What a plan says of a task's agent, as a task says it. */
export function toAgentConfig(agent: ApprovedTask['agent']): AgentConfigInput | undefined {
  return typeof agent === 'string' ? { type: agent } : agent
}

function metadataOf(name: string, { namespace, author }: PlanPlace) {
  return { name, namespace, labels: { [LABELS.managedBy]: MANAGED_BY }, annotations: authoredBy(author) }
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0')
}
