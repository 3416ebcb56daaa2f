import { type Static, Type } from 'typebox'
import { crdBranchName, crdName, crdString, crdStrings } from '../schema/crd-limits.ts'
import { closed, maybe } from '../schema/fields.ts'

const MAX_TASKS = 50

const planned = {
  name: crdName('Task', 'spec.title'),
  description: crdString('Task', 'spec.description'),
  agent: maybe(crdString('Task', 'spec.agent.type')),
}

const PlannedSubtask = closed(planned)

/** One task of a plan; its subtasks are its parts. */
export const PlannedTask = closed({
  ...planned,
  subtasks: maybe(Type.Array(PlannedSubtask, { maxItems: MAX_TASKS })),
})

/** A story as an agent plans it (specification §5.11): tasks in the order in which they are done. */
export const StoryPlan = closed({
  name: crdName('Story', 'spec.title'),
  branch_name: crdBranchName('Story', 'spec.branchName'),
  spec: crdString('Story', 'spec.spec'),
  acceptance_criteria: crdStrings('Story', 'spec.acceptanceCriteria'),
  tasks: Type.Array(PlannedTask, { minItems: 1, maxItems: MAX_TASKS }),
  validation: closed({
    type: crdString('Story', 'spec.validation.type'),
    steps: crdStrings('Story', 'spec.validation.steps'),
    success_criteria: crdString('Story', 'spec.validation.successCriteria'),
  }),
})

export type StoryPlan = Static<typeof StoryPlan>
export type PlannedTask = Static<typeof PlannedTask>
