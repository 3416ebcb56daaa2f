import type { Execution, Task, TaskStatus } from '../crd/types.ts'

/** How many senders of messages a task remembers; the schema's limit. */
export const MAX_SENDERS = 50

/**
 * Who sent messages to the agents of a task, with those of one more execution: what four eyes asks of a task, so it is
 * written no later than what makes the task READY.
 *
 * @returns nothing where it is known already
 */
export function messagedBy({ status }: Task, execution: Execution | undefined): Pick<TaskStatus, 'messagedBy'> {
  const known = status?.messagedBy ?? []
  const senders = (execution?.status?.messages ?? []).map(({ by = '' }) => by)
  const unknown = [...new Set(senders)].filter((by) => !known.includes(by))
  return unknown.length === 0 ? {} : { messagedBy: [...known, ...unknown].slice(-MAX_SENDERS) }
}
