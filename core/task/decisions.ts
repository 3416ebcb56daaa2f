import type { TaskStatus } from '../crd/types.ts'
import { toTimestamp } from '../time.ts'
import type { HumanTrigger } from './transitions.ts'

/** How many decisions a task remembers. */
export const MAX_DECISIONS = 50

/** Older comments are cut to this length: 50 answers of 64 KiB would not fit one object. */
const OLD_COMMENT_LENGTH = 1024

export type DecisionRecord = NonNullable<TaskStatus['decisions']>[number]

/** The decisions with one more at the end; only the newest keeps its comment whole. */
export function appendDecision(
  before: readonly DecisionRecord[] | undefined,
  made: { readonly action: HumanTrigger; readonly by: string; readonly at: Date; readonly comment?: string | undefined },
): DecisionRecord[] {
  const older = (before ?? []).slice(1 - MAX_DECISIONS).map(shorten)
  const newest = { action: made.action, by: made.by, at: toTimestamp(made.at) }
  return [...older, made.comment === undefined ? newest : { ...newest, comment: made.comment }]
}

function shorten(record: DecisionRecord): DecisionRecord {
  if (record.comment === undefined || record.comment.length <= OLD_COMMENT_LENGTH) return record
  return { ...record, comment: `${record.comment.slice(0, OLD_COMMENT_LENGTH - 1)}…` }
}
