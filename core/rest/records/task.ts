/** What belongs to a task's record or answers its actions, in the contract's names (specification §8.8). */
import { MESSAGE_MODES } from '../../enum-values.ts'
import { DECISION_ACTION_VALUES } from '../../crd/enums.ts'
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
  action: Type.Enum(DECISION_ACTION_VALUES),
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

/** Where the work of a task is, for who goes on with it by hand. */
export const CheckoutRecord = closed({
  task_id: RecordId,
  /** Without credentials. */
  repository_url: Type.String(),
  /** Branch that the work goes to; others write it too where the task belongs to a story. */
  branch: Type.String(),
  is_shared: Type.Boolean(),
  /** Since when the caller holds the task. */
  held_at: Instant,
  /** Whether this request began that; else the caller held it already, such as by a checkout at the same time. */
  is_new: Type.Boolean(),
  /** What the branch was last brought to; absent: nothing was pushed. */
  head: maybe(Type.String()),
  agent: maybe(Type.String()),
  adapter: maybe(Type.String()),
  model: maybe(Type.String()),
  /** The clone that is kept on the server; absent: it is gone. */
  clone: maybe(
    closed({
      head: Type.String(),
      /** Whether the branch has all of its commits. */
      is_pushed: Type.Boolean(),
    }),
  ),
  /** The agent's session; absent: there is none, or no file of it. `file` is its path below the folder of the CLI's sessions. */
  session: maybe(closed({ id: Type.String(), file: Type.String(), size: Type.Integer() })),
})

export const ActionResult = closed({ message: Type.String(), task_id: RecordId })

export type CheckoutRecord = Static<typeof CheckoutRecord>
export type DeploymentStatus = Static<typeof DeploymentStatus>
export type MessageRecord = Static<typeof MessageRecord>
export type ActionResult = Static<typeof ActionResult>
export type ValidationRecord = Static<typeof ValidationRecord>
