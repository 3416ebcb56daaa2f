import { PROJECT, ProjectRecord, RepositoryTry } from '../../kinds/project.ts'
import { closed, RecordId } from '../../schema/fields.ts'
import { recordRoutes } from '../record-routes.ts'
import { RepositoryTrialRecord } from '../records/setup.ts'
import { body, json, nothing, route } from '../route.ts'

/** Rows of the route table about projects. */
export const PROJECT_ROUTES = [
  ...recordRoutes(PROJECT, {
    one: 'a project',
    create: 'Register a repository',
    delete: 'that no task and no story refers to',
    scope: 'admin',
  }),
  route({
    id: 'tryRepository',
    method: 'POST',
    path: '/api/projects/try',
    summary: 'Try whether a repository can be read; nothing is stored',
    scope: 'admin',
    body: body(RepositoryTry),
    responses: { 200: json(RepositoryTrialRecord) },
    errors: [400, 413, 415, 503],
  }),
  route({
    id: 'buildEnvironment',
    method: 'POST',
    path: '/api/projects/{id}/environments',
    summary: 'Have the environment of a project built anew, whatever is there',
    scope: 'admin',
    responses: { 202: json(ProjectRecord) },
    errors: [404, 409, 412],
  }),
  route({
    id: 'deleteEnvironment',
    method: 'DELETE',
    path: '/api/projects/{id}/environments/{execution}',
    summary: 'Remove an environment of a project',
    params: closed({ id: RecordId, execution: RecordId }),
    responses: { 204: nothing },
    errors: [404, 409],
  }),
] as const
