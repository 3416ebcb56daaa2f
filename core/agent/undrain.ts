import type { Agent, AgentStatus, Task } from '../crd/types.ts'
import type { TaskWrite } from '../task/decide.ts'
import { formatUndrainMessage, releaseTask, undrain } from './drain.ts'

/** Who tells an agent to go on, as it is shown: a token's name, or `kubectl (annotation)`. */
export interface UndrainDecision {
  readonly by: string
  readonly at: Date
}

/** Every write that follows from an undrain, which no agent refuses, and the words for it. */
export interface UndrainOutcome {
  readonly message: string
  /** Tasks that the drain or the limit had left waiting. Written before the agent: an interrupted undrain is then taken again. */
  readonly tasks: readonly TaskWrite[]
  /** The agent's whole new status. */
  readonly status: AgentStatus
}

/**
 * Decides what becomes of an undrain: the drain goes with the question that it set, a limit with the waits for its end.
 * Pure: REST and annotations only apply it.
 *
 * @param tasks those that name the agent
 */
export function decideUndrain(agent: Agent, tasks: readonly Task[], { by, at }: UndrainDecision): UndrainOutcome {
  return {
    message: formatUndrainMessage(agent),
    tasks: tasks.flatMap((task): TaskWrite[] => {
      const status = releaseTask(agent, task, at)
      return status === undefined ? [] : [{ task, status }]
    }),
    status: undrain(agent, by, at),
  }
}
