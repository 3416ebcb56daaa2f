import { Type } from 'typebox'
import { ById } from '../fields.ts'
import { ProjectRecord } from '../records/project.ts'
import { ProjectCreate, ProjectEdit, RepositoryTry } from '../requests/project.ts'
import { RepositoryTrialRecord } from '../records/setup.ts'
import { PageQuery } from '../requests/shapes.ts'
import { body, json, manifest, nothing, route } from '../route.ts'

const project = json(ProjectRecord)

/** Rows of the route table about projects. */
export const PROJECT_ROUTES = [
  route({
    id: 'listProjects',
    method: 'GET',
    path: '/api/projects',
    summary: 'List projects, newest first',
    query: PageQuery,
    responses: { 200: json(Type.Array(ProjectRecord)) },
    errors: [400],
  }),
  route({
    id: 'createProject',
    method: 'POST',
    path: '/api/projects',
    summary: 'Register a repository',
    scope: 'admin',
    body: body(ProjectCreate),
    responses: { 201: project },
    errors: [400, 409, 413, 415],
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
    id: 'getProject',
    method: 'GET',
    path: '/api/projects/{id}',
    summary: 'Read a project',
    params: ById,
    responses: { 200: project },
    errors: [404],
  }),
  route({
    id: 'updateProject',
    method: 'PUT',
    path: '/api/projects/{id}',
    summary: 'Change a project by merging; null clears a field',
    scope: 'admin',
    params: ById,
    body: body(ProjectEdit),
    responses: { 200: project },
    errors: [400, 404, 409, 412, 413, 415],
  }),
  route({
    id: 'deleteProject',
    method: 'DELETE',
    path: '/api/projects/{id}',
    summary: 'Delete a project that no task and no story refers to',
    scope: 'admin',
    params: ById,
    responses: { 204: nothing },
    errors: [404, 409, 412],
  }),
  route({
    id: 'getProjectManifest',
    method: 'GET',
    path: '/api/projects/{id}/manifest',
    summary: 'The Project resource as YAML, with its events as comments',
    params: ById,
    responses: { 200: manifest },
    errors: [404],
  }),
] as const
