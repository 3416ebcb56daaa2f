import type { Static } from 'typebox'
import { crdList, crdString } from '../rest/crd-limits.ts'
import { closed, maybe } from '../rest/fields.ts'

/** A task as an agent proposes it from a person's words; POST /api/tasks takes it as it is. */
export const TaskDraft = closed({
  name: crdString('Task', 'spec.title'),
  description: crdString('Task', 'spec.description'),
  agent: maybe(
    closed({
      type: maybe(crdString('Task', 'spec.agent.type')),
      instructions: maybe(crdString('Task', 'spec.agent.instructions')),
      allowed_tools: maybe(crdList('Task', 'spec.agent.allowedTools')),
    }),
  ),
})

export type TaskDraft = Static<typeof TaskDraft>
