import { Type } from 'typebox'
import { closed, maybe } from '../fields.ts'
import { PAGE } from './shapes.ts'

export const ExecutionListQuery = closed({
  /** RFC 3339, or a duration back from now such as 24h. */
  since: maybe(Type.String()),
  task_id: maybe(Type.String()),
  ...PAGE,
})
