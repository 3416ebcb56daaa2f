import type { Task } from './client/client.ts'

/**
 * The execution whose work a decision about the task takes, by the task's own record. A delivery has a diff of the whole
 * branch, which is what the next accept is about where the branch has moved (docs/delivery.md).
 */
export function latestWork({ execution_id, delivery }: Pick<Task, 'execution_id' | 'delivery'>): string | undefined {
  return delivery?.state === 'moved' ? (delivery.execution_id ?? execution_id) : execution_id
}
