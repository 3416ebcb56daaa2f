import { Type } from 'typebox'
import { ById, closed, RecordId } from '../fields.ts'
import { AgentActionResult, AgentRecord, AgentsStatus } from '../records/agent.ts'
import { AgentCreate, AgentEdit } from '../requests/agent.ts'
import { ProgramsRecord } from '../records/setup.ts'
import { PageQuery } from '../requests/shapes.ts'
import { body, json, manifest, nothing, route } from '../route.ts'

const agent = json(AgentRecord)

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
  route({
    id: 'listAgents',
    method: 'GET',
    path: '/api/agents',
    summary: 'List agents, newest first',
    query: PageQuery,
    responses: { 200: json(Type.Array(AgentRecord)) },
    errors: [400],
  }),
  route({
    id: 'createAgent',
    method: 'POST',
    path: '/api/agents',
    summary: 'Create an agent',
    scope: 'admin',
    body: body(AgentCreate),
    responses: { 201: agent },
    errors: [400, 409, 413, 415],
  }),
  route({
    id: 'getAgent',
    method: 'GET',
    path: '/api/agents/{id}',
    summary: 'Read an agent with its live state',
    params: ById,
    responses: { 200: agent },
    errors: [404],
  }),
  route({
    id: 'updateAgent',
    method: 'PUT',
    path: '/api/agents/{id}',
    summary: 'Change an agent by merging; null clears a field',
    scope: 'admin',
    params: ById,
    body: body(AgentEdit),
    responses: { 200: agent },
    errors: [400, 404, 409, 412, 413, 415],
  }),
  route({
    id: 'deleteAgent',
    method: 'DELETE',
    path: '/api/agents/{id}',
    summary: 'Delete an agent that no unfinished task refers to',
    scope: 'admin',
    params: ById,
    responses: { 204: nothing },
    errors: [404, 409, 412],
  }),
  route({
    id: 'getAgentManifest',
    method: 'GET',
    path: '/api/agents/{id}/manifest',
    summary: 'The Agent resource as YAML, with its events as comments',
    params: ById,
    responses: { 200: manifest },
    errors: [404],
  }),
] as const
