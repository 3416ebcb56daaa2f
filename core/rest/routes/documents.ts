import { Type } from 'typebox'
import { file, json, route } from '../route.ts'

const script = file('text/javascript; charset=utf-8')
const style = file('text/css; charset=utf-8')
const page = file('text/html; charset=utf-8')

/** The document as far as a client can rely on it before it knows OpenAPI. */
const OpenApi = Type.Object({ openapi: Type.String(), info: Type.Unknown(), paths: Type.Unknown() })

/**
 * Rows of the route table about the API's own documentation. The page and what it loads are open as the rest of the
 * user interface is, since they hold nothing; the document needs a token like any data.
 */
export const DOCUMENT_ROUTES = [
  route({
    id: 'getOpenApiDocument',
    method: 'GET',
    path: '/api/openapi.json',
    isUncached: true,
    summary: 'This API as an OpenAPI 3.1 document',
    responses: { 200: json(OpenApi) },
    errors: [],
  }),
  route({
    id: 'getDocsPage',
    method: 'GET',
    path: '/api/docs',
    isUncached: true,
    summary: 'This API as a page for people',
    isOpen: true,
    responses: { 200: page, 206: page },
    errors: [416],
  }),
  route({
    id: 'getDocsPageScript',
    method: 'GET',
    path: '/api/docs/page.js',
    isUncached: true,
    summary: 'Script of that page',
    isOpen: true,
    responses: { 200: script, 206: script },
    errors: [416],
  }),
  route({
    id: 'getDocsRenderer',
    method: 'GET',
    path: '/api/docs/swagger-ui.js',
    isUncached: true,
    summary: 'Renderer of that page',
    isOpen: true,
    responses: { 200: script, 206: script },
    errors: [416],
  }),
  route({
    id: 'getDocsStyle',
    method: 'GET',
    path: '/api/docs/swagger-ui.css',
    isUncached: true,
    summary: 'Style of that page',
    isOpen: true,
    responses: { 200: style, 206: style },
    errors: [416],
  }),
] as const
