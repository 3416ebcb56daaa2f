import type { Execution } from '../crd/types.ts'

/** Whether an execution came to its agent, or to where it needs none, as far as its record knows. */
export function hasAgentBegun({ status: { phases = [], agentOutcome } = {} }: Execution): boolean {
  const isStarted = phases.some(({ name, startedAt }) => name === 'agent' && startedAt !== undefined)
  return isStarted || agentOutcome !== undefined
}

/**
 * The execution whose clone and session are gone on in after this one: where its agent never began it has told nobody anything,
 * so that what it was to resume still is. But a Job without a session may have made a clone of its own, which has nothing of
 * what was done before.
 */
export function findResumable(last: Execution): string {
  const { jobs, sessionId } = last.status ?? {}
  const hasOwnClone = jobs !== undefined && sessionId === undefined
  return hasAgentBegun(last) || hasOwnClone ? last.metadata.name : (last.spec.resumes ?? last.metadata.name)
}

/** What becomes of work whose agent has done its part. */
export type WorkAfterAgent = 'checked' | 'delivered'

/**
 * What is done with the work of an execution that goes on without its agent, which hears nothing any more; undefined while the
 * agent works, or is to begin. Each Job, such as that of a round, begins with phases of its own.
 */
export function findWorkAfterAgent({ spec, status = {} }: Execution): WorkAfterAgent | undefined {
  const { phases = [], agentOutcome } = status
  const hasBegun = (...names: string[]): boolean => phases.some(({ name }) => names.includes(name))
  if (hasBegun('deliver')) return 'delivered'
  if (hasBegun('stage', 'checks')) return 'checked'
  const isLeftOut = spec.checksWaived !== undefined || spec.handedBack?.withoutAgent === true
  const isRepeated = agentOutcome === 'succeeded' || agentOutcome === 'blocked'
  const hasEnded = phases.some(({ name, finishedAt }) => name === 'agent' && finishedAt !== undefined)
  return isLeftOut || isRepeated || hasEnded ? 'delivered' : undefined
}
