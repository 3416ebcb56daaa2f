import { PlannedTask } from '../../answer/story-plan.ts'
import { crdReference } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { RUN_POLICIES } from '../../enum-values.ts'
import { StoryInput } from '../../kinds/story.ts'
import { AgentConfigInput } from '../../kinds/task.ts'
import { type Static, Type } from 'typebox'

const { name, branch_name, spec, acceptance_criteria, validation } = StoryInput.properties

/** Most tasks of a plan, and most subtasks of one of them. */
const MAX_PLANNED = 50

const { description, agent: type, subtasks: _, ...planned } = PlannedTask.properties
const approved = {
  ...planned,
  description: maybe(description),
  /** The agent's name alone, or as a task has it. */
  agent: maybe(Type.Union([type, AgentConfigInput])),
}

const ApprovedTask = closed({
  ...approved,
  subtasks: maybe(Type.Array(closed(approved), { maxItems: MAX_PLANNED })),
})

/**
 * A plan as elaborate gives it, or as a person changed it, and the project that it is for (specification §5.12).
 * What a story or a task may leave out, a plan may too.
 */
export const StoryApproval = closed({
  name,
  branch_name,
  spec,
  acceptance_criteria,
  validation,
  /** In the order in which they are done. */
  tasks: Type.Array(ApprovedTask, { minItems: 1, maxItems: MAX_PLANNED }),
  project_id: crdReference('Story', 'spec.projectId'),
  /** `auto`: the tasks are queued as soon as the story is there, each behind the one before. Default `manual`. */
  run_policy: maybe(Type.Enum(RUN_POLICIES)),
})

export type StoryApproval = Static<typeof StoryApproval>
export type ApprovedTask = Static<typeof ApprovedTask>
