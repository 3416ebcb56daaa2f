import { decideUndrain } from '../../core/agent/undrain.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import type { ProgramRecord, ProgramsRecord } from '../../core/rest/records/setup.ts'
import type { TaskWrite } from '../../core/task/decide.ts'
import { agentsStatus } from '../records/agents-status.ts'
import type { ApiContext } from '../context.ts'
import { represent } from '../records/representation.ts'
import { changeRecord, writeStatus } from '../commands/writes.ts'
import type { DecisionContext } from '../commands/decide-task.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Handlers } from './handler.ts'

interface AgentStatusContext extends DecisionContext {
  readonly scheduling: Scheduling
  readonly findPrograms?: FindPrograms | undefined
}

/** Finds the programs and logins of agents on this machine; answers from memory where it was asked a moment ago. */
export type FindPrograms = () => Promise<readonly ProgramRecord[]>

/** The pool: what its agents do, and telling one to go on. */
export function agentStatusHandlers(context: AgentStatusContext) {
  const { caches, client, clock, scheduling } = context
  return {
    async undrainAgent({ params, caller, ifMatch }) {
      const key = { kind: 'agent', id: params.agent }
      const { object, result: message } = await changeRecord(client, caches.agents, key, (agent) => {
        context.preconditions.agent(ifMatch, agent)
        const decision = { by: caller.name, at: clock.now() }
        const { tasks, status, message } = decideUndrain(agent, caches.tasksOfAgent(params.agent), decision)
        const before = (): Promise<void> => writeTasks(context, tasks)
        return { before, write: { ...agent, status }, subresource: 'status', result: message }
      })
      context.events.record(object, decisionEvent('undrain', message, caller.name))
      return { status: 200, body: represent({ message, agent: params.agent }) }
    },
    async listPrograms() {
      const { findPrograms } = context
      const found: ProgramsRecord =
        findPrograms === undefined
          ? { place: 'images', programs: [] }
          : { place: 'this_machine', programs: [...(await findPrograms())] }
      return { status: 200, body: represent(found) }
    },
    getAgentsStatus: async () => ({ status: 200, body: represent(agentsStatus(caches, scheduling, clock.now())) }),
  } satisfies Partial<Handlers>
}

async function writeTasks({ client, caches }: ApiContext, writes: readonly TaskWrite[]): Promise<void> {
  for (const { task, status } of writes) await writeStatus(client, caches.tasks, { ...task, status })
}
