import type { ErrorCategory, Execution } from '../crd/types.ts'
import { executionState, isTerminal, isWork } from '../execution/state.ts'
import { toMicroUSD } from '../money.ts'
import { LABELS } from '../names.ts'
import { parseTimestamp } from '../time.ts'
import { type ErrorGroup, ERROR_GROUP_OF } from './groups.ts'

/** How an execution that failed is listed. */
export interface Failure {
  readonly group: ErrorGroup
  readonly category: ErrorCategory
}

/** What one execution adds to the statistics. */
export interface StatsEntry {
  /** Milliseconds since 1970 at which it ended. */
  readonly endedAtMs: number
  /** Absent for what only costs: elaborations, classifications and the like are no work on a task. */
  readonly outcome?: 'completed' | 'failed' | 'other'
  readonly failure?: Failure
  /** Absent when the execution reports no cost. Whole numbers, so that sums do not depend on their order. */
  readonly costMicroUSD?: number
  /** '' for an execution of no project. */
  readonly project: string
  /** '' for an execution of no agent. */
  readonly agent: string
}

/**
 * What `execution` adds, or undefined while it runs, and once it is being deleted. A delivery or a setup adds nothing: no
 * agent runs in it, so it is no run that could have cost something.
 */
export function toStatsEntry(execution: Execution): StatsEntry | undefined {
  const { metadata, spec, status } = execution
  if (spec.purpose === 'Deliver' || spec.purpose === 'Prepare') return undefined
  const endedAt = status?.finishedAt ?? metadata.creationTimestamp
  if (!isTerminal(execution) || metadata.deletionTimestamp !== undefined || endedAt === undefined) return undefined
  const failure = isWork(execution) ? findFailure(execution) : undefined
  return {
    endedAtMs: parseTimestamp(endedAt).getTime(),
    project: projectOf(execution),
    agent: spec.agent ?? '',
    ...(isWork(execution) ? { outcome: outcomeOf(execution) } : {}),
    ...(failure === undefined ? {} : { failure }),
    ...(status?.costUSD === undefined ? {} : { costMicroUSD: toMicroUSD(status.costUSD) }),
  }
}

/** A task's execution has its project as a label, a query in its spec; neither changes after its creation. '' for none. */
export function projectOf({ metadata, spec }: Execution): string {
  return metadata.labels?.[LABELS.project] ?? spec.projectRef?.name ?? ''
}

/** A quota that is used up is no failure of the work (specification §6.8): it counts as `other`. */
function outcomeOf(execution: Execution): NonNullable<StatsEntry['outcome']> {
  const state = executionState(execution)
  if (state === 'COMPLETED') return 'completed'
  return state === 'FAILED' || state === 'TIMED_OUT' ? 'failed' : 'other'
}

const CATEGORY_OF_STATE: Readonly<Record<string, ErrorCategory>> = {
  FAILED: 'failed',
  TIMED_OUT: 'timeout',
  BUDGET_EXCEEDED: 'quota',
}

function findFailure(execution: Execution): Failure | undefined {
  const usual = CATEGORY_OF_STATE[executionState(execution)]
  if (usual === undefined) return undefined
  const category = execution.status?.error?.category ?? usual
  return { category, group: ERROR_GROUP_OF[category] }
}
