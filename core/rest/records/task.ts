/** What belongs to a task's record or answers its actions, in the contract's names (specification §8.8). */
import { MESSAGE_MODES } from '../../enum-values.ts'
import { HUMAN_TRIGGERS } from '../../task/transitions.ts'
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

export const ChangesRecord = closed({ files: Type.Integer(), insertions: Type.Integer(), deletions: Type.Integer() })

export const QuestionRecord = closed({
  text: Type.String(),
  header: maybe(Type.String()),
  options: maybe(Type.Array(Type.String())),
  multiple: maybe(Type.Boolean()),
})

export const DecisionRecord = closed({
  action: Type.Enum(HUMAN_TRIGGERS),
  by: maybe(Type.String()),
  at: Instant,
  comment: maybe(Type.String()),
})

/** What a person said to the agent while it worked. */
export const MessageRecord = closed({
  id: Type.String(),
  by: maybe(Type.String()),
  at: Instant,
  mode: Type.Enum(MESSAGE_MODES),
  text: Type.String(),
  /** Absent while the agent has not been given it. */
  delivered_at: maybe(Instant),
  /** True: nobody knows whether the agent was given it. */
  uncertain: maybe(Type.Boolean()),
})

/** Whether the running build contains a task's work (specification §8.16). */
export const DeploymentStatus = closed({
  /** "" when it is not known. */
  deployed_commit: Type.String(),
  fix_commits: Type.Array(Type.String()),
  includes_fix: Type.Boolean(),
})

/** What stands against creating and running a task, and what would help. */
export const ValidationRecord = closed({
  /** Whether there are no errors. */
  valid: Type.Boolean(),
  /** `field` is "" where the whole is meant. */
  errors: Type.Array(closed({ field: Type.String(), message: Type.String() })),
  /** What will probably not go as it is meant. */
  warnings: Type.Array(Type.String()),
  /** What the task leaves open. */
  questions: Type.Array(Type.String()),
  suggestions: Type.Array(Type.String()),
})

export const ActionResult = closed({ message: Type.String(), task_id: RecordId })

export type DeploymentStatus = Static<typeof DeploymentStatus>
export type MessageRecord = Static<typeof MessageRecord>
export type ActionResult = Static<typeof ActionResult>
export type ValidationRecord = Static<typeof ValidationRecord>
