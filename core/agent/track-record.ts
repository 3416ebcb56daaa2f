/**
 * How the executions of each agent ended on each project: kept as they come, not computed, so that a decision costs the
 * same whatever lies behind it. As in core/stats: nothing is remembered per execution; a change takes out what its
 * previous version added and puts in what the new one adds.
 */
import type { Execution } from '../crd/types.ts'
import { isTerminal, isWork } from '../execution/state.ts'
import { LABELS } from '../names.ts'
import type { ExecutionChange } from '../stats/ledger.ts'
import { countOutcome } from './drain.ts'

/** Executions that ended well, and those that failed by the agent's own doing. */
export interface TrackRecord {
  readonly succeeded: number
  readonly failed: number
}

export interface TrackRecords {
  /** Enters a change; changes of one execution must come in their order, those of others may come in any. */
  enter(change: ExecutionChange): void
  /** An agent's record on a project; tasks without a project have none. */
  of(agent: string, project: string | undefined): TrackRecord
}

const NOTHING: TrackRecord = { succeeded: 0, failed: 0 }

/** Empty records, of one namespace. */
export function createTrackRecords(): TrackRecords {
  const records = new Map<string, TrackRecord>()
  const count = (execution: Execution, sign: 1 | -1): void => {
    const entry = toEntry(execution)
    if (entry === undefined) return
    const { succeeded, failed } = records.get(entry.key) ?? NOTHING
    const next = entry.isSuccess ? { succeeded: succeeded + sign, failed } : { succeeded, failed: failed + sign }
    if (next.succeeded === 0 && next.failed === 0) records.delete(entry.key)
    else records.set(entry.key, next)
  }
  return {
    enter({ previous, object }) {
      if (previous !== undefined) count(previous, -1)
      if (object !== undefined) count(object, 1)
    },
    of: (agent, project) => (project === undefined ? NOTHING : (records.get(keyOf(agent, project)) ?? NOTHING)),
  }
}

/** What counts is what counts towards a drain: no limit, no lost pod, no refused push is the agent's doing. */
function toEntry(execution: Execution): { readonly key: string; readonly isSuccess: boolean } | undefined {
  const { metadata, spec } = execution
  const project = metadata.labels?.[LABELS.project]
  const isKept = metadata.deletionTimestamp === undefined && isWork(execution) && isTerminal(execution)
  // A question is no end of the work; its answer leads to one.
  if (project === undefined || spec.agent === undefined || !isKept || execution.status?.state === 'BLOCKED')
    return undefined
  const counted = countOutcome(execution)
  return counted === 'Ignored' ? undefined : { key: keyOf(spec.agent, project), isSuccess: counted === 'Success' }
}

/** Names hold no slash. */
function keyOf(agent: string, project: string): string {
  return `${project}/${agent}`
}
