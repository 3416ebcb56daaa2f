import { PROJECT, RepositoryTry } from '../../kinds/project.ts'
import { recordRoutes } from '../record-routes.ts'
import { RepositoryTrialRecord } from '../records/setup.ts'
import { body, json, route } from '../route.ts'

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
] as const
