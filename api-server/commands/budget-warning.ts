import { budgetNotKeptReason } from '../../core/agent/prices.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import type { Task } from '../../core/crd/types.ts'
import type { ApiContext } from '../context.ts'
import { warningHeaders } from '../http/warning.ts'

/** Says of a task whose agent is known that its budget cannot be kept (specification §6.11). */
export function budgetWarning({ caches }: ApiContext, task: Task): Readonly<Record<string, string>> {
  const name = agentOf(task)
  const agent = name === undefined ? undefined : caches.agents.find(name)
  const why = agent && budgetNotKeptReason(task, agent)
  return warningHeaders(why === undefined ? [] : [why])
}
