/** Checks of a project's work, and what a reviewer has to know of them: part of the records of tasks and executions. */
import { type Static, Type } from 'typebox'
import { CHECK_STATES } from '../../enum-values.ts'
import { closed, Instant, maybe } from '../../schema/fields.ts'

/** One check of one round. */
export const CheckRecord = closed({
  name: Type.String(),
  state: Type.Enum(CHECK_STATES),
  /** False: the work is delivered although it is red. */
  required: Type.Boolean(),
  /** From 1. */
  round: Type.Integer(),
  /** The commit that it checked. */
  commit: maybe(Type.String()),
  started_at: maybe(Instant),
  seconds: maybe(Type.Number()),
  /** While it runs, in a task's record: how long it took when it last ended in the project. */
  last_seconds: maybe(Type.Number()),
  /** Absent where it was killed. */
  exit_code: maybe(Type.Integer()),
  /** Why it is red where its exit code does not say so. */
  reason: maybe(Type.String()),
})

export const CHECK_FIELDS = {
  /** Who had the work delivered although checks were red. */
  checks_waived: maybe(closed({ by: maybe(Type.String()), reason: Type.String(), at: Instant })),
  /** What the work changes of the project's protected paths; the first 50 paths. */
  protected_changes: maybe(closed({ count: Type.Integer(), paths: Type.Array(Type.String()) })),
}

export type CheckRecord = Static<typeof CheckRecord>
