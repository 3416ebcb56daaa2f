import type { Static } from 'typebox'
import { crdName, crdString } from '../schema/crd-limits.ts'
import { closed, maybe } from '../schema/fields.ts'

/**
 * A task as an agent proposes it from a person's words. Which tools its agent may use, and what it is told beside the
 * description, is not a model's to propose.
 */
export const TaskDraft = closed({
  name: crdName('Task', 'spec.title'),
  description: crdString('Task', 'spec.description'),
  agent: maybe(closed({ type: crdString('Task', 'spec.agent.type') })),
})

export type TaskDraft = Static<typeof TaskDraft>
