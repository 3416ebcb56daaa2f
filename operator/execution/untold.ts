/** What people said to an agent, and it may not have heard, or no session of today knows. Source: docs/specification.md §4.36. */
import type { AgentMessage, Execution, ExecutionStatus, Task } from '../../core/crd/types.ts'
import { hasAgentBegun } from '../../core/execution/agent-part.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { executionName } from '../../core/names.ts'
import type { Views } from '../context.ts'

/** Whether the agent may still be given a message of the execution, so that its files say something new. */
export function awaitsReceipt(execution: Execution): boolean {
  return (
    !isTerminal(execution) && (execution.status?.messages ?? []).some(({ deliveredAt }) => deliveredAt === undefined)
  )
}

/**
 * What people said in earlier executions of a task and no agent was told, oldest first; with what may have been told.
 * An execution whose agent began was told all that was left over before.
 */
export function findUntold(views: Pick<Views, 'executions'>, task: Task, { metadata }: Execution): AgentMessage[] {
  const { namespace } = metadata
  const find = (name: string): Execution | undefined => views.executions.get({ namespace, name })
  const untold: AgentMessage[] = []
  for (let n = (task.status?.executions ?? 0) - 1; n >= 1; n--) {
    const before = find(executionName(task.metadata.name, n))
    if (before === undefined || before.metadata.name === metadata.name) continue
    untold.unshift(...(before.status?.messages ?? []).filter(({ deliveredAt }) => deliveredAt === undefined))
    if (wasTold(before, find)) break
  }
  return untold
}

/** What agents were told in the executions that this one resumes, oldest first. */
export function findEarlierTold(views: Pick<Views, 'executions'>, { metadata, spec }: Execution): AgentMessage[] {
  const { namespace, name } = metadata
  const told: AgentMessage[] = []
  const seen = new Set([name])
  let next = spec.resumes
  while (next !== undefined && !seen.has(next)) {
    seen.add(next)
    const resumed = views.executions.get({ namespace, name: next })
    told.unshift(...toldIn(resumed?.status))
    next = resumed?.spec.resumes
  }
  return told
}

/** What the agents of one execution were told, oldest first. */
export function toldIn({ messages = [] }: ExecutionStatus = {}): readonly AgentMessage[] {
  return messages.filter(({ deliveredAt }) => deliveredAt !== undefined)
}

/** One that only repeated a delivery told its agent nothing. */
function wasTold(execution: Execution, find: (name: string) => Execution | undefined): boolean {
  const { spec } = execution
  const resumed = spec.resumes === undefined ? undefined : find(spec.resumes)
  const isAsked = spec.revision?.at !== resumed?.spec.revision?.at
  const isRun = hasAgentBegun(execution) && spec.handedBack?.withoutAgent !== true
  return isRun && (isAsked || resumed?.status?.agentOutcome !== 'succeeded')
}
