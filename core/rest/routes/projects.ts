import { Type } from 'typebox'
import { ById } from '../fields.ts'
import { ProjectRecord } from '../records/project.ts'
import { ProjectCreate, ProjectEdit } from '../requests/project.ts'
import { body, json, route } from '../route.ts'

const project = json(ProjectRecord)

/** Rows of the route table about projects. */
export const PROJECT_ROUTES = [
  route({
    id: 'listProjects',
    method: 'GET',
    path: '/api/projects',
    summary: 'List projects, newest first',
    responses: { 200: json(Type.Array(ProjectRecord)) },
    errors: [],
  }),
  route({
    id: 'createProject',
    method: 'POST',
    path: '/api/projects',
    summary: 'Register a repository',
    body: body(ProjectCreate),
    responses: { 201: project },
    errors: [400, 409, 413, 415],
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
    params: ById,
    body: body(ProjectEdit),
    responses: { 200: project },
    errors: [400, 404, 409, 412, 413, 415],
  }),
] as const
