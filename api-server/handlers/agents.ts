import type { Agent } from '../../core/crd/types.ts'
import { stalledReason } from '../../core/agent/availability.ts'
import { apiError } from '../../core/errors.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../../core/names.ts'
import { editSpec } from '../../core/rest/edit.ts'
import { toAgentInput, toAgentRecord, toAgentSpec } from '../../core/rest/map/agent.ts'
import type { AgentRecord } from '../../core/rest/records/agent.ts'
import type { AgentCreate } from '../../core/rest/requests/agent.ts'
import { AgentInput } from '../../core/rest/requests/agent.ts'
import { stateOf } from '../../core/task/decide.ts'
import { badPromptsReason } from '../../lib/prompts.ts'
import { agentStatus } from '../records/agents-status.ts'
import type { Caches } from '../cache/caches.ts'
import type { ApiContext } from '../context.ts'
import { createEditor, editHeaders } from '../commands/merge-edit.ts'
import { printManifest } from '../records/manifest.ts'
import { NEWEST_FIRST, newestFirst } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import type { Representation } from '../records/representation.ts'
import { entityTag, joinRepresentations, represent } from '../records/representation.ts'
import { changeRecord, createRecord, requireFound } from '../commands/writes.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Handlers } from './handler.ts'

/** The agents of the pool as records: what people write, and what each does now. */
export function agentHandlers(
  context: ApiContext & {
    readonly preconditions: Preconditions
    readonly scheduling: Scheduling
    readonly embedded: boolean
  },
) {
  const { client, caches, clock, namespace, scheduling } = context
  const all = newestFirst(caches.agents)
  const edit = createEditor(AgentInput)
  const read = async (id: string): Promise<Agent> => requireFound(await caches.agents.read(id), 'agent')
  const toRecord = (agent: Agent): AgentRecord => toAgentRecord(agent, agentStatus(agent, scheduling, clock.now()))
  const toJson = (agent: Agent): Representation<AgentRecord> => {
    const record = toRecord(agent)
    const etag = entityTag(agent.metadata.resourceVersion ?? '', JSON.stringify(record.status))
    return { ...represent(record), etag }
  }
  return {
    async listAgents({ query }) {
      const page = paginate(all(), query, NEWEST_FIRST)
      return { status: 200, body: joinRepresentations(page.items.map(toJson)), headers: page.headers('/api/agents') }
    },
    async createAgent({ body }) {
      const { id: _, name: __, ...input } = body
      const name = chooseName(body)
      const metadata = { name, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
      const agent: Agent = { apiVersion: API_VERSION, kind: 'Agent', metadata, spec: toAgentSpec(input) }
      checkHostPaths(context, agent)
      checkPrompts(agent)
      const created = await createRecord(context, caches.agents, 'agent', agent)
      return { status: 201, body: toJson(created), headers: { Location: `/api/agents/${name}` } }
    },
    getAgent: async ({ params }) => ({ status: 200, body: toJson(await read(params.id)) }),
    async updateAgent({ params, body, ifMatch }) {
      const key = { kind: 'agent', id: params.id }
      const { object, result } = await changeRecord(client, caches.agents, key, (agent) => {
        context.preconditions.agent(ifMatch, agent)
        const before = toAgentInput(agent.spec)
        const input = edit(toRecord(agent), before, body)
        const write = input && { ...agent, spec: editSpec(agent.spec, toAgentSpec(before), toAgentSpec(input)) }
        if (write !== undefined && body['credentials'] !== undefined) checkHostPaths(context, write)
        if (write !== undefined && body['prompts'] !== undefined) checkPrompts(write)
        return { write, result: write !== undefined }
      })
      return { status: 200, body: toJson(object), headers: editHeaders('agent', object, result) }
    },
    async deleteAgent({ params, ifMatch }) {
      await changeRecord(client, caches.agents, { kind: 'agent', id: params.id }, (agent) => {
        context.preconditions.agent(ifMatch, agent)
        checkUnused(caches, params.id)
        return { write: agent, isRemoval: true, result: undefined }
      })
      return { status: 204, body: undefined }
    },
    async getAgentManifest({ params }) {
      const object = await read(params.id)
      return { status: 200, body: await printManifest(context, { cache: caches.agents, object }) }
    },
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

/** What would leave the Agent Stalled is refused here (specification §3.3). @throws ApiError `invalid_request` */
function checkHostPaths({ embedded }: { readonly embedded: boolean }, agent: Agent): void {
  const refusal = stalledReason(agent, { embedded })
  if (refusal !== undefined) throw apiError('invalid_request', `credentials.files[].host_path: ${refusal}`)
}

/** @throws ApiError `invalid_request` naming the template and the line */
function checkPrompts({ spec }: Agent): void {
  const fault = badPromptsReason(spec.prompts)
  if (fault !== undefined) throw apiError('invalid_request', fault)
}

/**
 * A COMPLETED task names the agent that did its work for the record only: nothing will ask for that agent again.
 *
 * @throws ApiError `in_use` naming the tasks that may
 */
function checkUnused({ tasksOfAgent }: Caches, id: string): void {
  const users = tasksOfAgent(id).filter((task) => stateOf(task) !== 'COMPLETED')
  const names = users.map(({ metadata }) => `task ${metadata.name}`)
  if (names.length > 0) throw apiError('in_use', 'agent', id, names, ['refers to it', 'refer to it'])
}
