import { Type } from 'typebox'
import { closed } from '../../schema/fields.ts'
import { DropRecord } from '../records/drop.ts'
import { MAX_DROP_BYTES } from '../limits.ts'
import { DropUpload, MAX_DROPS } from '../requests/drop.ts'
import { PageQuery } from '../requests/shapes.ts'
import { BYTES, file, json, rawBody, route } from '../route.ts'

const drops = json(Type.Array(DropRecord))
const bytes = file(BYTES)

/** Rows of the route table about the drop directory. */
export const DROP_ROUTES = [
  route({
    id: 'listDrops',
    method: 'GET',
    isUncached: true,
    path: '/api/drops',
    summary: 'List the files of the drop directory, newest first',
    query: PageQuery,
    responses: { 200: drops },
    errors: [400],
  }),
  route({
    id: 'getDrop',
    method: 'GET',
    isUncached: true,
    path: '/api/drops/{filename}',
    summary: 'Download a file of the drop directory',
    params: closed({ filename: Type.String() }),
    responses: { 200: bytes, 206: bytes },
    errors: [400, 404, 416],
  }),
  route({
    id: 'uploadDrops',
    method: 'POST',
    path: '/api/drops',
    summary: 'Store files in the drop directory; a file of the same name is replaced',
    body: rawBody({
      contentTypes: ['multipart/form-data'],
      maxBytes: MAX_DROPS * MAX_DROP_BYTES,
      schema: DropUpload,
    }),
    responses: { 201: drops },
    errors: [400, 409, 413, 415, 507],
  }),
] as const
