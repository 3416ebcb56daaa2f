import { closed, RecordId } from '../fields.ts'
import { AgentActionResult, AgentsStatus } from '../records/agent.ts'
import { json, route } from '../route.ts'

/** Rows of the route table about agents. */
export const AGENT_ROUTES = [
  route({
    id: 'undrainAgent',
    method: 'POST',
    path: '/api/pool/agents/{agent}/undrain',
    summary: 'Let a drained agent accept work again',
    params: closed({ agent: RecordId }),
    scope: 'admin',
    responses: { 200: json(AgentActionResult) },
    errors: [404],
  }),
  route({
    id: 'getAgentsStatus',
    method: 'GET',
    path: '/api/agents/status',
    summary: 'What every agent does now, and the events of the last 24 hours',
    responses: { 200: json(AgentsStatus) },
    errors: [],
  }),
] as const
