import type { AgentLoad, SlotHolder } from '../../core/agent/schedule.ts'
import { lineUp } from '../../core/agent/line.ts'
import type { WaitingContext } from '../../core/agent/waiting.ts'
import { agentOf, isStartable, toldBranchWriter } from '../../core/agent/waiting.ts'
import type { Agent, Task } from '../../core/crd/types.ts'
import { slotName } from '../../core/names.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'

export interface Queues {
  /** What explaining a wait needs, as of now. */
  waitingContext(): WaitingContext
  /** Tasks of the agent that could start, in the order of starting, and who holds its slots. */
  loadOf(agent: Agent): AgentLoad
  /** The QUEUED tasks of an agent, whether they could start or not. */
  queuedFor(agent: string): readonly Task[]
}

/** Who waits for which agent, computed from the caches and kept until one of them changes. */
export function createQueues(caches: Caches, clock: Clock): Queues {
  let madeAt = ''
  let byAgent: ReadonlyMap<string, readonly Task[]> = new Map()
  const loads = new Map<string, Pick<AgentLoad, 'line' | 'holders'>>()

  const startable = {
    tasks: caches.taskIndex,
    hasProject: (name: string) => caches.projects.find(name) !== undefined,
    describeBranchWriter: toldBranchWriter,
  }
  const refresh = (): void => {
    const revisions = [caches.tasks, caches.projects, caches.agents, caches.leases, caches.executions].map((cache) =>
      cache.revision(),
    )
    const now = revisions.join('.')
    if (now === madeAt) return
    madeAt = now
    loads.clear()
    byAgent = groupByAgent(caches.tasks.informer.byIndex('state', 'QUEUED'))
  }
  const loadOf = (agent: Agent): AgentLoad => {
    refresh()
    const { name } = agent.metadata
    const load = loads.get(name) ?? {
      line: lineUp((byAgent.get(name) ?? []).filter((task) => isStartable(task, startable))),
      holders: holdersOf(agent, caches),
    }
    loads.set(name, load)
    return { agent, now: clock.now(), ...load }
  }
  return {
    loadOf,
    queuedFor(agent) {
      refresh()
      return byAgent.get(agent) ?? []
    },
    waitingContext: () => ({
      now: clock.now(),
      ...startable,
      findAgent: caches.agents.find,
      loadOf,
    }),
  }
}

/** Queued tasks by their agent; those without one are under "". */
function groupByAgent(queued: readonly Task[]): ReadonlyMap<string, readonly Task[]> {
  const groups = new Map<string, Task[]>()
  for (const task of queued) {
    const agent = agentOf(task) ?? ''
    const group = groups.get(agent)
    if (group) group.push(task)
    else groups.set(agent, [task])
  }
  return groups
}

/** The executions in the agent's slots, as the slots' Leases say. */
function holdersOf(agent: Agent, caches: Caches): SlotHolder[] {
  const slots = Array.from({ length: agent.spec.maxConcurrent ?? 1 }, (_, i) => i + 1)
  return slots.flatMap((slot) => {
    const execution = caches.leases.find(slotName(agent.metadata.name, slot))?.spec?.holderIdentity ?? ''
    if (execution === '') return []
    const task = caches.executions.find(execution)?.spec.taskRef?.name ?? execution.replace(/-\d+$/, '')
    return [{ slot, execution, task }]
  })
}
