import type { Agent, Task } from '../../core/crd/types.ts'
import { undrain } from '../../core/agent/drain.ts'
import { decisionNote } from '../../core/decision-note.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import { agentsStatus } from '../agents-status.ts'
import type { ApiContext } from '../context.ts'
import { represent } from '../representation.ts'
import { changeRecord } from '../writes.ts'
import type { Handlers } from './handler.ts'

/** The pool: what its agents do, and lifting a drain. */
export function poolHandlers(context: ApiContext): Pick<Handlers, 'undrainAgent' | 'getAgentsStatus'> {
  const { caches, client, clock, queues } = context
  return {
    async undrainAgent({ params, caller }) {
      const key = { kind: 'agent', id: params.agent }
      const { object } = await changeRecord(client, caches.agents, key, (agent) => ({
        write: { ...agent, status: undrain(agent, caller.name, clock.now()) },
        subresource: 'status',
        result: undefined,
      }))
      context.events.record(object, decisionNote('undrain', 'agent undrained', caller.name))
      await clearDrainQuestions(context, object)
      return { status: 200, body: represent({ message: 'agent undrained', agent: params.agent }) }
    },
    getAgentsStatus: async () => ({ status: 200, body: represent(agentsStatus(caches, queues, clock.now())) }),
  }
}

/** The drain put a question to a person on the task that it stopped at; lifting it is the answer. */
async function clearDrainQuestions({ client, caches }: ApiContext, { metadata }: Agent): Promise<void> {
  for (const { metadata: found } of caches.tasks.informer.byIndex('state', 'FAILED')) {
    await changeRecord(client, caches.tasks, { kind: 'task', id: found.name }, (task) =>
      hasDrainQuestion(task, metadata.name)
        ? { write: withoutQuestion(task), subresource: 'status', result: undefined }
        : { result: undefined },
    )
  }
}

/** A FAILED task has a question only where its failure drained the agent (decisions, section 4). */
function hasDrainQuestion(task: Task, agent: string): boolean {
  return task.status?.state === 'FAILED' && task.status.question !== undefined && agentOf(task) === agent
}

function withoutQuestion(task: Task): Task {
  const { question: _, ...status } = task.status ?? {}
  return { ...task, status }
}
