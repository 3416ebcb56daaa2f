import { type Static, Type } from 'typebox'
import { crdString } from '../schema/crd-limits.ts'
import { closed } from '../schema/fields.ts'

/** Which agent suits a task. */
export const Classification = closed({
  agent: crdString('Task', 'spec.agent.type'),
  reason: Type.String({ minLength: 1, maxLength: 1024 }),
})

export type Classification = Static<typeof Classification>
