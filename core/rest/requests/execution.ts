import { closed, maybe } from '../fields.ts'
import { Type } from 'typebox'

export const ExecutionListQuery = closed({
  /** RFC 3339, or a duration back from now such as 24h. */
  since: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  task_id: maybe(Type.String()),
})
