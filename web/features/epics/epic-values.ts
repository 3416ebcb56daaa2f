/** What the form of an epic holds, and what is sent of it. Pure. */
import type { Epic, Input } from '../../../core/rest/client/client.ts'

/** What is proposed for a new epic, and shown for one without a colour; told apart from white and black in both themes. */
export const FIRST_COLOR = '#3b5bdb'

export interface EpicValues {
  readonly name: string
  readonly description: string
  readonly priority: string
  readonly color: string
}

export function toEpicForm({ name, description = '', priority, color = FIRST_COLOR }: Epic): EpicValues {
  return { name, description, priority: String(priority), color }
}

export function toEpicCreate({ name, description, priority, color }: EpicValues): Input<'createEpic'>['body'] {
  return { name, priority: Number(priority), color, ...(description.trim() === '' ? {} : { description }) }
}

/** The colour goes along only if it was changed: one that is merely shown would be stored otherwise. */
export function toEpicEdit(seen: Epic, values: EpicValues): Input<'updateEpic'>['body'] {
  const { color, ...others } = toEpicCreate(values)
  return { description: null, ...others, ...(values.color === toEpicForm(seen).color ? {} : { color }) }
}
