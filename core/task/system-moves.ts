/** The moves of a task that nobody asked for; those at the begin and end of an execution are in start.ts and finish.ts. */
import { claimTaskConditions, withConditions } from '../conditions.ts'
import type { Task, TaskState, TaskStatus } from '../crd/types.ts'
import { omit } from '../omit.ts'
import { toMicroTimestamp } from '../time.ts'

/** PENDING → QUEUED by the task's run policy, or because its parent waits for it. */
export function queueTask(task: Task, now: Date): TaskStatus {
  return enter(task, { ...task.status, state: 'QUEUED', queuedAt: toMicroTimestamp(now) }, now)
}

/** FAILED or BUDGET_EXCEEDED → QUEUED when an automatic attempt is due: it counts, and goes on with the kept session. */
export function retryTask(task: Task, now: Date): TaskStatus {
  const kept = omit(task.status ?? {}, ['resumeAfter', 'error', 'question', 'finishedAt'])
  const attempts = (task.status?.attempts ?? 0) + 1
  return enter(task, { ...kept, state: 'QUEUED', attempts, resume: true, queuedAt: toMicroTimestamp(now) }, now)
}

/** BLOCKED → READY: the last subtask is done. */
export function readySubtasks(task: Task, now: Date): TaskStatus {
  return enter(task, { ...task.status, state: 'READY' }, now)
}

function enter(task: Task, status: TaskStatus & { readonly state: TaskState }, now: Date): TaskStatus {
  return withConditions(task, status, claimTaskConditions({ state: status.state }), now)
}
