import { Type } from 'typebox'
import { EPIC } from '../../kinds/epic.ts'
import { recordRoutes } from '../record-routes.ts'
import { STORY } from '../../kinds/story.ts'
import { PageQuery } from '../requests/shapes.ts'
import { json, route } from '../route.ts'

/** Rows of the route table about epics. */
export const EPIC_ROUTES = [
  ...recordRoutes(EPIC, { one: 'an epic', delete: 'that no story refers to' }),
  route({
    id: 'listEpicStories',
    method: 'GET',
    path: '/api/epics/{id}/stories',
    summary: 'List the stories of an epic by status, then priority',
    query: PageQuery,
    responses: { 200: json(Type.Array(STORY.record)) },
    errors: [400, 404],
  }),
] as const
