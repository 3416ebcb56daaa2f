import { Type } from 'typebox'
import { ById } from '../fields.ts'
import { EpicRecord } from '../records/epic.ts'
import { StoryRecord } from '../records/story.ts'
import { EpicCreate, EpicEdit } from '../requests/epic.ts'
import { PageQuery } from '../requests/shapes.ts'
import { body, json, manifest, nothing, route } from '../route.ts'

const epic = json(EpicRecord)

/** Rows of the route table about epics. */
export const EPIC_ROUTES = [
  route({
    id: 'listEpics',
    method: 'GET',
    path: '/api/epics',
    summary: 'List epics, newest first',
    query: PageQuery,
    responses: { 200: json(Type.Array(EpicRecord)) },
    errors: [400],
  }),
  route({
    id: 'createEpic',
    method: 'POST',
    path: '/api/epics',
    summary: 'Create an epic',
    body: body(EpicCreate),
    responses: { 201: epic },
    errors: [400, 409, 413, 415],
  }),
  route({
    id: 'getEpic',
    method: 'GET',
    path: '/api/epics/{id}',
    summary: 'Read an epic',
    params: ById,
    responses: { 200: epic },
    errors: [404],
  }),
  route({
    id: 'updateEpic',
    method: 'PUT',
    path: '/api/epics/{id}',
    summary: 'Change an epic by merging; null clears a field',
    params: ById,
    body: body(EpicEdit),
    responses: { 200: epic },
    errors: [400, 404, 409, 412, 413, 415],
  }),
  route({
    id: 'deleteEpic',
    method: 'DELETE',
    path: '/api/epics/{id}',
    summary: 'Delete an epic that no story refers to',
    scope: 'admin',
    params: ById,
    responses: { 204: nothing },
    errors: [404, 409, 412],
  }),
  route({
    id: 'listEpicStories',
    method: 'GET',
    path: '/api/epics/{id}/stories',
    summary: 'List the stories of an epic by status, then priority',
    params: ById,
    query: PageQuery,
    responses: { 200: json(Type.Array(StoryRecord)) },
    errors: [400, 404],
  }),
  route({
    id: 'getEpicManifest',
    method: 'GET',
    path: '/api/epics/{id}/manifest',
    summary: 'The Epic resource as YAML, with its events as comments',
    params: ById,
    responses: { 200: manifest },
    errors: [404],
  }),
] as const
