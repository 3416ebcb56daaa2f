import { HealthRecord, VersionRecord } from '../records/server.ts'
import { LiveQuery } from '../requests/server.ts'
import { json, route } from '../route.ts'

/** Rows of the route table about the server itself. */
export const SERVER_ROUTES = [
  route({
    id: 'openLiveConnection',
    method: 'GET',
    path: '/api/ws',
    isUncached: true,
    summary: 'Live messages over a WebSocket (LiveMessage in core/rest/messages.ts)',
    query: LiveQuery,
    responses: {},
    errors: [400, 426, 503],
  }),
  route({
    id: 'getVersion',
    method: 'GET',
    path: '/api/version',
    isUncached: true,
    summary: 'Version and commit of the running build',
    responses: { 200: json(VersionRecord) },
    errors: [],
  }),
  route({
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    isUncached: true,
    summary: 'Whether the process answers',
    responses: { 200: json(HealthRecord) },
    errors: [],
  }),
  route({
    id: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    isUncached: true,
    summary: 'Whether the caches hold the state of the control plane',
    responses: { 200: json(HealthRecord) },
    errors: [503],
  }),
] as const
