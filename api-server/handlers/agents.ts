import type { Agent } from '../../core/crd/types.ts'
import { stalledReason } from '../../core/agent/availability.ts'
import { apiError } from '../../core/errors.ts'
import { type AgentCreate, type AgentInput, AGENT } from '../../core/kinds/agent.ts'
import { isSame } from '../../core/json.ts'
import { stateOf } from '../../core/task/decide.ts'
import { badPromptsReason } from '../../lib/prompts.ts'
import { agentStatus } from '../records/agents-status.ts'
import type { ApiContext } from '../context.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Handlers } from './handler.ts'
import { recordHandlers } from './record-handlers.ts'

interface AgentContext extends ApiContext {
  readonly preconditions: Preconditions
  readonly scheduling: Scheduling
  readonly embedded: boolean
}

/** The agents of the pool as records: what people write, and what each does now. */
export function agentHandlers(context: AgentContext) {
  const { caches, clock, preconditions, scheduling } = context
  const { list, create, get, update, remove, manifest } = recordHandlers(context, AGENT, {
    cache: caches.agents,
    precondition: preconditions.agent,
    toRecord: (agent) => AGENT.toRecord(agent, agentStatus(agent, scheduling, clock.now())),
    tagOf: (record) => JSON.stringify(record.status),
    check: (input, agent, before) => check(context, input, agent, before),
    // A COMPLETED task names the agent that did its work for the record only: nothing will ask for that agent again.
    usersOf(id) {
      const users = caches.tasksOfAgent(id).filter((task) => stateOf(task) !== 'COMPLETED')
      return users.map(({ metadata }) => `task ${metadata.name}`)
    },
  })
  return {
    listAgents: list,
    async createAgent({ body }) {
      const { id: _, name: __, ...input } = body
      return create(input, chooseName(body))
    },
    getAgent: get,
    updateAgent: update,
    deleteAgent: remove,
    getAgentManifest: manifest,
  } satisfies Partial<Handlers>
}

/** Tasks name an agent by its id, so the server makes none up. @throws ApiError `invalid_request` */
function chooseName({ id, name = id }: AgentCreate): string {
  if (name === undefined) throw apiError('invalid_request', 'id: is required')
  if (id !== undefined && id !== name)
    throw apiError('invalid_request', `name: an agent's name is its id ${id}, not ${name}`)
  // GET /api/agents/status is no agent.
  if (name === 'status') throw apiError('invalid_request', 'id: status is a path of the API, not a name for an agent')
  return name
}

/**
 * What an edit leaves as it is, is not judged again. Host paths that would leave the Agent Stalled are refused here
 * (specification §3.3), and so are prompts with faults, naming the template and the line.
 *
 * @throws ApiError `invalid_request`
 */
function check({ embedded }: AgentContext, input: AgentInput, agent: Agent, before?: AgentInput): void {
  if (!isSame(input.credentials, before?.credentials)) {
    const refusal = stalledReason(agent, { embedded })
    if (refusal !== undefined) throw apiError('invalid_request', `credentials.files[].host_path: ${refusal}`)
  }
  const fault = isSame(input.prompts, before?.prompts) ? undefined : badPromptsReason(agent.spec.prompts)
  if (fault !== undefined) throw apiError('invalid_request', fault)
}
