import { chooseModel, classify } from '../../core/agent/classify.ts'
import { agentOf, NO_AGENT } from '../../core/agent/waiting.ts'
import type { Agent, ChosenAgent, Execution, TaskStatus } from '../../core/crd/types.ts'
import { isTerminal, isWork } from '../../core/execution/state.ts'
import { slotName } from '../../core/names.ts'
import { isSame } from '../../core/json.ts'
import { makeExecution, startTask } from '../../core/task/start.ts'
import { toTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import { letModelChoose } from './classification.ts'
import type { ObservedTask } from './observe.ts'
import { refreshWaiting } from './waiting.ts'

/**
 * QUEUED → dependencies → classified → branch → slot → Execution → RUNNING, in this order
 * (specification §4.11). Leases and Execution carry the name `<task>-<n>`, so that a start that was interrupted anywhere goes on
 * where it stood, and the state is written last: then alone the execution may begin.
 */
export function reconcileQueued(seen: ObservedTask): Step {
  const { task, schedule, agent } = seen
  if (!schedule.isStartable) return refreshWaiting(seen)
  const chosen = chooseAgent(seen)
  if (chosen === undefined) return refreshWaiting(seen, NO_AGENT)
  const byModel = letModelChoose(seen, chosen)
  if (byModel !== undefined) return byModel
  const noted = { ...task, status: { ...task.status, agent: chosen } }
  if (isChoiceNew(seen, chosen)) return { actions: [{ kind: 'writeTask', task, status: noted.status }] }
  const step =
    agent === undefined || schedule.slot === undefined ? undefined : start(seen, agent, chosen, schedule.slot)
  return step ?? refreshWaiting({ ...seen, task: noted })
}

/**
 * A task that its run policy queues and that starts at once: being queued, slot and Execution are written side by side.
 *
 * If this is cut short, slot and Execution are kept for the task, which is still to be queued (isStartOf).
 *
 * @returns undefined where it has to wait, or its agent is not its own choice
 */
export function startAtOnce(seen: ObservedTask, queued: TaskStatus): Step | undefined {
  const { task, agent, slotIfQueued } = seen
  if (agent === undefined || slotIfQueued === undefined) return undefined
  const noted = { ...seen, task: { ...task, status: queued } }
  const chosen = chooseAgent(noted)
  if (chosen === undefined || chosen.chosenBy === 'Rules') return undefined
  return start(noted, agent, chosen, slotIfQueued, [{ kind: 'writeTask', task, status: queued }])
}

/** What was asked for or classified stands; a model is filled in where only the agent was named. */
function chooseAgent({ task, agent, candidates, executions }: ObservedTask): ChosenAgent | undefined {
  const chosen = task.status?.agent
  if (chosen?.type === undefined) return classify(task, candidates, executions.findLast(isWork)?.spec.agent)
  const model = chosen.model ?? (agent === undefined ? undefined : chooseModel(task, agent))
  return model === undefined ? chosen : { ...chosen, model }
}

/**
 * The rules look at who is busy, so their choice is noted before anything is made from it: after a crash they might
 * choose otherwise. A spec gives the same choice again, and is noted together with the start, or while it waits; but
 * where only the agent's adapter tells that it counts, no queue knows of it before.
 */
function isChoiceNew({ task }: ObservedTask, chosen: ChosenAgent): boolean {
  return task.status?.agent?.type === undefined && (chosen.chosenBy === 'Rules' || agentOf(task) === undefined)
}

function start(
  seen: ObservedTask,
  agent: Agent,
  chosen: ChosenAgent,
  slot: number,
  beside: readonly Action[] = [],
): Step {
  const { task, branchLease, executions, now } = seen
  const n = (task.status?.executions ?? 0) + 1
  const last =
    executions.find(({ metadata }) => metadata.name === task.status?.execution) ?? executions.findLast(isWork)
  const wanted = makeExecution(task, chosen, n, last)
  const existing = seen.next
  const leftover = existing === undefined ? undefined : withdraw(seen, existing, wanted, n)
  if (leftover !== undefined) return leftover
  const { name, namespace } = agent.metadata
  const message = `execution ${wanted.metadata.name} starts with agent ${name}`
  return {
    actions: [
      // Before the slot: nobody holds a slot who waits for a branch.
      ...(branchLease === undefined
        ? []
        : [{ kind: 'takeBranch', lease: branchLease, execution: wanted.metadata.name } as const]),
      // Neither begins anything: the task's state does, which is written behind both.
      {
        kind: 'together',
        actions: [
          ...beside,
          {
            kind: 'takeSlot',
            lease: { namespace, name: slotName(name, slot) },
            agent: name,
            execution: wanted.metadata.name,
          },
          ...(existing === undefined ? [{ kind: 'createExecution', execution: wanted } as const] : []),
        ],
      },
      { kind: 'writeTask', task, status: startTask(task, chosen, n, now) },
      recordEvent(task, 'Normal', 'Started', message),
    ],
  }
}

/**
 * An execution that has the name of the one to be started and is not that: of an interrupted start that is no longer
 * wanted, or made by somebody who may create Executions. It is given up, and the next number is used.
 */
function withdraw({ task, now }: ObservedTask, existing: Execution, wanted: Execution, n: number): Step | undefined {
  if (isTerminal(existing)) {
    return { actions: [{ kind: 'writeTask', task, status: { ...task.status, executions: n } }] }
  }
  if (isWanted(existing, wanted)) return undefined
  const given = { state: 'CANCELLED', finishedAt: toTimestamp(now) } as const
  return { actions: [{ kind: 'writeExecution', execution: existing, status: { ...existing.status, ...given } }] }
}

/** In all that its spec says, in whose it is, and in the labels by which it is followed. */
function isWanted(existing: Execution, wanted: Execution): boolean {
  const facts = ({ metadata: { ownerReferences }, spec }: Execution): unknown => [
    spec,
    ownerReferences?.map(({ uid }) => uid),
  ]
  const { labels = {} } = existing.metadata
  const isLabelled = Object.entries(wanted.metadata.labels ?? {}).every(([name, value]) => labels[name] === value)
  return isLabelled && isSame(facts(existing), facts(wanted))
}
