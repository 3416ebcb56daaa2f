import type { Agent } from '../../core/crd/types.ts'
import { describeUndrain, releaseTask, undrain } from '../../core/agent/drain.ts'
import { decisionNote } from '../../core/decision-note.ts'
import { agentsStatus } from '../records/agents-status.ts'
import type { ApiContext } from '../context.ts'
import { represent } from '../records/representation.ts'
import { changeRecord } from '../commands/writes.ts'
import type { Handlers } from './handler.ts'

/** The states in which a task may be left by a drain or a limit of its agent. */
const STATES_LEFT = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'] as const

/** The pool: what its agents do, and telling one to go on. */
export function poolHandlers(context: ApiContext): Pick<Handlers, 'undrainAgent' | 'getAgentsStatus'> {
  const { caches, client, clock, queues } = context
  return {
    async undrainAgent({ params, caller, ifMatch }) {
      const key = { kind: 'agent', id: params.agent }
      const { object, result: message } = await changeRecord(client, caches.agents, key, (agent) => {
        context.preconditions.agent(ifMatch, agent)
        const status = undrain(agent, caller.name, clock.now())
        return { write: { ...agent, status }, subresource: 'status', result: describeUndrain(agent) }
      })
      context.events.record(object, decisionNote('undrain', message, caller.name))
      await releaseTasks(context, object)
      return { status: 200, body: represent({ message, agent: params.agent }) }
    },
    getAgentsStatus: async () => ({ status: 200, body: represent(agentsStatus(caches, queues, clock.now())) }),
  }
}

/** What the drain asked on the task that it stopped at is answered, and what waits for the end of a limit is due. */
async function releaseTasks({ client, caches, clock }: ApiContext, agent: Agent): Promise<void> {
  for (const state of STATES_LEFT) {
    for (const { metadata } of caches.tasks.informer.byIndex('state', state)) await release(metadata.name)
  }
  async function release(id: string): Promise<void> {
    if (caches.tasks.find(id) === undefined) return
    await changeRecord(client, caches.tasks, { kind: 'task', id }, (task) => {
      const status = releaseTask(agent, task, clock.now())
      return { write: status && { ...task, status }, subresource: 'status', result: undefined }
    })
  }
}
