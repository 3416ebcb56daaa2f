import { HealthRecord, ReadinessRecord, SessionRecord, VersionRecord } from '../records/server.ts'
import { LiveQuery, SessionCreate } from '../requests/server.ts'
import { json, nothing, optionalBody, route } from '../route.ts'

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
    id: 'beginSession',
    method: 'POST',
    path: '/api/session',
    summary:
      'Begin a session: a cookie for browsers in place of the token, which may come in Authorization or the body',
    isOpen: true,
    body: optionalBody(SessionCreate),
    responses: { 200: json(SessionRecord) },
    errors: [401, 413, 415],
  }),
  route({
    id: 'getSession',
    method: 'GET',
    isUncached: true,
    path: '/api/session',
    summary: 'Read who the caller is',
    responses: { 200: json(SessionRecord) },
    errors: [],
  }),
  route({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/session',
    summary: 'End the session in this browser',
    isOpen: true,
    responses: { 204: nothing },
    errors: [],
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
    isOpen: true,
    responses: { 200: json(HealthRecord) },
    errors: [],
  }),
  route({
    id: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    isUncached: true,
    summary: 'Whether the caches hold the state of the control plane, and it takes writes',
    isOpen: true,
    responses: { 200: json(ReadinessRecord) },
    errors: [503],
  }),
] as const
