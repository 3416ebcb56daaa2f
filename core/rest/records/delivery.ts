/** What became of work on its way to the remote: part of the records of tasks and executions. */
import { Type } from 'typebox'
import { closed, maybe } from '../fields.ts'
import { REBASE_WORDS } from '../words.ts'

/** How the work stood to the branch that it goes to, or to its base. */
export const RebaseRecord = closed({
  result: Type.Enum(Object.values(REBASE_WORDS)),
  onto: maybe(Type.String()),
  /** Those that conflict. */
  files: Type.Array(Type.String()),
  message: maybe(Type.String()),
})
