import { Type } from 'typebox'
import { closed, maybe } from '../fields.ts'
import { PAGE, Reference } from './shapes.ts'

export const ExecutionListQuery = closed({
  /** RFC 3339, or a span back from now such as 24h or 7d. */
  since: maybe(Type.String()),
  task_id: maybe(Reference),
  ...PAGE,
})
