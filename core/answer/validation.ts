import { type Static, Type } from 'typebox'
import { closed } from '../schema/fields.ts'

const remarks = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 20 })

/** What an agent has to say about a task before it is run. */
export const Validation = closed({
  /** What it would have to ask the person who wrote the task. */
  questions: remarks,
  /** What would make the task better. */
  suggestions: remarks,
})

export type Validation = Static<typeof Validation>
