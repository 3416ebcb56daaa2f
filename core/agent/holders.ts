import { isStuck } from '../execution/stuck.ts'
import { isWork } from '../execution/state.ts'
import { slotName } from '../names.ts'
import { stateOf } from '../task/decide.ts'
import { type SlotHolder, nextExecution } from './schedule.ts'
import { type SchedulingObjects, taskOf } from './scheduling-objects.ts'
import { type TaskQueues, isInQueue } from './task-queues.ts'

/** The executions that hold the slots of an agent, by slot; those above a lowered `maxConcurrent` count until they end. */
export function findHolders(objects: SchedulingObjects, queues: TaskQueues, agent: string, now: Date): SlotHolder[] {
  const held = [...objects.heldSlots.get(agent)].flatMap((lease): SlotHolder[] => {
    const execution = objects.holders.get(lease)
    if (execution === undefined) return []
    const slot = Number(lease.slice(slotName(agent, 1).length - 1))
    const task = taskOf(objects, execution)
    const stuckPod = findStuckPod(objects, execution, now)
    return [{ slot, execution, task, stuckPod, isStarting: isStarting(objects, queues, { agent, task, execution }) }]
  })
  held.sort((a, b) => a.slot - b.slot)
  return [...held, ...findLeaseless(objects, agent, held)]
}

/** A Lease may be deleted by hand; what runs in its slot still runs, and counts until it ends. */
function findLeaseless(objects: SchedulingObjects, agent: string, held: readonly SlotHolder[]): SlotHolder[] {
  return [...objects.openExecutions.get(agent)].sort().flatMap((name): SlotHolder[] => {
    const execution = objects.executions.get(name)
    if (execution === undefined || !isWork(execution) || held.some((holder) => holder.execution === name)) return []
    const task = objects.tasks.get(taskOf(objects, name) ?? '')
    // By the word of its task: anybody may have made an Execution.
    const runs = task !== undefined && stateOf(task) === 'RUNNING' && task.status?.execution === name
    return runs ? [{ slot: 0, execution: name, task: task.metadata.name, isStarting: false }] : []
  })
}

function isStarting(
  objects: SchedulingObjects,
  queues: TaskQueues,
  { agent, task, execution }: { readonly agent: string; readonly task: string | undefined; readonly execution: string },
): boolean {
  const entry = task === undefined ? undefined : queues.entries.get(task)
  if (entry === undefined || entry.agent !== agent || nextExecution(entry.task) !== execution) return false
  return isInQueue(queues, objects, entry)
}

/** A pod that was told to stop and does not. */
function findStuckPod({ pods, podsOfExecution }: SchedulingObjects, execution: string, now: Date): string | undefined {
  return [...podsOfExecution.get(execution)].sort().find((name) => {
    const pod = pods.get(name)
    return pod !== undefined && !pod.hasEnded && pod.deletedAt !== undefined && isStuck(pod.deletedAt, now)
  })
}
