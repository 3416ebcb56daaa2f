import type { Execution } from '../../core/crd/types.ts'
import { QUERY_TTL_SECONDS } from '../../core/query/execution.ts'
import { recordLimit } from '../../core/agent/limit.ts'
import { limitedUntil, closedReason } from '../../core/agent/schedule.ts'
import { executionPath, sandboxOf, sandboxOwnerPath, sandboxPath } from '../../core/execution/layout.ts'
import { executionError } from '../../core/execution/error.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { omit } from '../../core/omit.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { unavailableReason } from '../../core/agent/availability.ts'
import { type Action, type Step, idle, recordEvent } from '../action.ts'
import { advanceExecution } from '../execution/reconcile.ts'
import type { ObservedQuery } from './observe.ts'

/**
 * Decides the next step of one query or delivery: its Lease, its Job, its end, and what it leaves.
 *
 * Source: specification §6.14: one per agent at a time, never while the agent is limited.
 */
export function reconcileQuery(seen: ObservedQuery): Step {
  const { execution, run } = seen
  if (isTerminal(execution)) return cleanUp(seen)
  if (seen.refusal !== undefined) return refuse(seen, seen.refusal)
  const hasBegun = (execution.status?.jobs ?? 0) > 0
  const isCancelled = execution.status?.cancelRequestedAt !== undefined
  if (hasBegun || isCancelled || needsNoLease(seen) || seen.hasLease) return advanceExecution(run)
  return takeLease(seen)
}

/** Whoever may create Executions can ask for any delivery or setup; only what was accepted or is wanted is carried out. */
function refuse({ execution, now }: ObservedQuery, reason: string): Step {
  const isSetup = execution.spec.purpose === 'Prepare'
  const message = `${isSetup ? 'not prepared' : 'not delivered'}: ${reason}`
  const error = executionError({ category: 'cancelled', message })
  const ended = { state: 'CANCELLED', error, finishedAt: toTimestamp(now) } as const
  return {
    actions: [
      { kind: 'writeExecution', execution, status: { ...execution.status, ...ended } },
      recordEvent(execution, 'Warning', isSetup ? 'NotPrepared' : 'NotDelivered', message),
    ],
  }
}

/** Neither a delivery nor a setup runs an agent; a query whose agent cannot run here ends at once, saying why. */
function needsNoLease({ execution, agent, run }: ObservedQuery): boolean {
  if (execution.spec.purpose === 'Deliver' || execution.spec.purpose === 'Prepare') return true
  return agent === undefined || unavailableReason(agent, run.context.installation) !== undefined
}

function takeLease({ execution, agent, freeLease, isNext, now }: ObservedQuery): Step {
  if (agent === undefined || freeLease === undefined || !isNext) return idle()
  if (closedReason(agent, now) !== undefined) {
    const until = limitedUntil(agent, now)
    return idle(until === undefined ? undefined : parseTimestamp(until))
  }
  const { name } = agent.metadata
  return {
    actions: [{ kind: 'takeSlot', lease: freeLease, agent: name, execution: execution.metadata.name }],
  }
}

/** After the end: what still runs ends too, the agent learns of a limit, the sandbox goes, at last the record. */
function cleanUp(seen: ObservedQuery): Step {
  const { execution, run, now } = seen
  const left = run.openJobs.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  if (left.length > 0) return { actions: left.map((job) => ({ kind: 'deleteJob', job })) }
  const learned = recordAgentLimit(seen)
  if (learned.length > 0) return { actions: learned }
  if (run.openJobs.length > 0) return idle()
  const { name } = execution.metadata
  if (execution.status?.sandboxDir !== undefined) {
    const status = omit(execution.status, ['sandboxDir'])
    const gone = { kind: 'removeFolders', paths: sandboxPaths(execution) } as const
    return { actions: [gone, { kind: 'writeExecution', execution, status }] }
  }
  const keptUntil = findEndOfKeeping(seen)
  if (keptUntil > now) return idle(keptUntil)
  const gone = { kind: 'removeFolders', paths: [...sandboxPaths(execution), executionPath(name)] } as const
  return { actions: [gone, { kind: 'deleteExecution', execution }] }
}

function sandboxPaths(execution: Execution): string[] {
  const sandbox = sandboxOf(execution)
  return [sandboxPath(sandbox), sandboxOwnerPath(sandbox)]
}

function recordAgentLimit({ agent, execution, now }: ObservedQuery): Action[] {
  if (agent === undefined) return []
  const status = recordLimit(agent, execution, now)
  return status === undefined || status === agent.status ? [] : [{ kind: 'writeAgent', agent, status }]
}

function findEndOfKeeping({ execution, now }: ObservedQuery): Date {
  const { finishedAt } = execution.status ?? {}
  const seconds = execution.spec.ttlSecondsAfterFinished ?? QUERY_TTL_SECONDS
  return finishedAt === undefined ? now : addMs(parseTimestamp(finishedAt), seconds * 1000)
}
