import { AGENT } from '../../kinds/agent.ts'
import { closed, RecordId } from '../../schema/fields.ts'
import { recordRoutes } from '../record-routes.ts'
import { AgentActionResult, AgentsStatus } from '../records/agent.ts'
import { ProgramsRecord } from '../records/setup.ts'
import { json, route } from '../route.ts'

/** Rows of the route table about agents. */
export const AGENT_ROUTES = [
  route({
    id: 'undrainAgent',
    method: 'POST',
    path: '/api/pool/agents/{agent}/undrain',
    summary: 'End the drain or the limit of an agent',
    params: closed({ agent: RecordId }),
    scope: 'admin',
    responses: { 200: json(AgentActionResult) },
    errors: [404, 412],
  }),
  route({
    id: 'listPrograms',
    method: 'GET',
    path: '/api/programs',
    isUncached: true,
    summary: 'Read which programs and logins of agents were found on this machine, and what is missing',
    responses: { 200: json(ProgramsRecord) },
    errors: [],
  }),
  // Before /api/agents/{id}, which would take `status` for an id.
  route({
    id: 'getAgentsStatus',
    method: 'GET',
    path: '/api/agents/status',
    summary: 'Read what every agent does now, and the events of the last 24 hours',
    responses: { 200: json(AgentsStatus) },
    errors: [],
  }),
  ...recordRoutes(AGENT, {
    one: 'an agent',
    read: 'Read an agent with its live state',
    delete: 'that no unfinished task refers to',
    scope: 'admin',
  }),
] as const
