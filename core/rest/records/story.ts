/** What belongs to stories, their events and their graph, in the contract's names (specification §8.11, §5.9). */
import {
  STORY_DECISION_ACTION_VALUES,
  STORY_EVENT_KIND_VALUES,
  STORY_STATUS_VALUES,
  TASK_STATE_VALUES,
  VERDICT_VALUES,
} from '../../crd/enums.ts'
import { EDGE_KINDS, NODE_ROLES } from '../../story/graph.ts'
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { EVALUATION_OUTCOMES, EVALUATION_ROLES } from '../../enum-values.ts'
import { FINDINGS } from './delivery.ts'
import { ChangesRecord } from './task.ts'
import { type Static, Type } from 'typebox'

/** How many there are, and how many of them are done. */
export const ProgressRecord = closed({ total: Type.Integer(), done: Type.Integer() })

const VerdictRecord = closed({
  criterion: Type.String(),
  verdict: Type.Enum(VERDICT_VALUES),
  comment: maybe(Type.String()),
  at: maybe(Instant),
  /** The agent or the person whose word counts. */
  by: maybe(Type.String()),
})

/** An agent that was asked. */
const EvaluationRunRecord = closed({
  execution_id: RecordId,
  role: Type.Enum(EVALUATION_ROLES),
  agent: RecordId,
  outcome: Type.Enum(EVALUATION_OUTCOMES),
  message: maybe(Type.String()),
  finished_at: maybe(Instant),
  retry_after: maybe(Instant),
})

export const EvaluationRecord = closed({
  total: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  pending: Type.Integer(),
  verdicts: Type.Array(VerdictRecord),
  /** The how many-th evaluation this is; absent while there was none. */
  round: maybe(Type.Integer()),
  started_at: maybe(Instant),
  /** What goes on, or what keeps the story in VALIDATING and what a person can do about it. */
  message: maybe(Type.String()),
  /** Those of this round, oldest first. */
  runs: maybe(Type.Array(EvaluationRunRecord)),
})

export const StoryDecisionRecord = closed({
  action: Type.Enum(STORY_DECISION_ACTION_VALUES),
  /** Where it moved the story. */
  status: maybe(Type.Enum(STORY_STATUS_VALUES)),
  by: maybe(Type.String()),
  at: Instant,
})

/** What accepting the story adds to the default branch; the execution has its diff. */
export const ReviewFields = closed({
  review: maybe(
    closed({
      execution_id: RecordId,
      base_commit: Type.String(),
      head: Type.String(),
      commits: Type.Array(Type.String()),
      changes: maybe(ChangesRecord),
    }),
  ),
  ...FINDINGS,
})

export const StoryEventRecord = closed({
  id: RecordId,
  story_id: RecordId,
  kind: Type.Enum(STORY_EVENT_KIND_VALUES),
  payload: Type.Record(Type.String(), Type.Unknown()),
  at: Instant,
  by: maybe(Type.String()),
})

export const StoryGraphRecord = closed({
  nodes: Type.Array(
    closed({
      id: Type.String(),
      name: Type.String(),
      role: Type.Enum(NODE_ROLES),
      state: Type.Enum(TASK_STATE_VALUES),
    }),
  ),
  /** From what comes first to what waits for it, or from the parent to its subtask. */
  edges: Type.Array(closed({ from: Type.String(), to: Type.String(), kind: Type.Enum(EDGE_KINDS) })),
})

export type ReviewFields = Static<typeof ReviewFields>
export type StoryEventRecord = Static<typeof StoryEventRecord>
export type EvaluationRecord = Static<typeof EvaluationRecord>
export type StoryGraphRecord = Static<typeof StoryGraphRecord>
