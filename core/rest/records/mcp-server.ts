import { closed, maybe } from '../fields.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

/** A secret is named by its key alone; the values that are shown are none. */
const Variable = closed({ name: Type.String(), value: maybe(Type.String()), key: maybe(Type.String()) })

/** A server of the Model Context Protocol, as an agent or a project gives it to the agents' programs. */
export const McpServerRecord = closed({
  name: Type.String(),
  command: maybe(Type.String()),
  args: maybe(Type.Array(Type.String())),
  env: maybe(Type.Array(Variable)),
  url: maybe(Type.String()),
  headers: maybe(Type.Array(Variable)),
})

export type McpServerRecord = Static<typeof McpServerRecord>
