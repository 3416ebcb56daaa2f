/**
 * The OpenAPI 3.1 document of the REST API, made from the same rows and schemas that route and check requests: what it
 * says is what the server does. Served at /api/openapi.json, and read by the generator of the typed client.
 */
import type { JsonObject } from '../../json.ts'
import { SESSION_COOKIE } from '../../names.ts'
import type { Route } from '../route.ts'
import { failureComponents } from './failures.ts'
import { header, headerComponents, headerParameterComponents } from './headers.ts'
import { describeOperation } from './operation.ts'
import { createSchemaPrinter } from './schemas.ts'
import { SHAPES } from './shapes.ts'
import { tagsOf } from './tags.ts'

export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  /** Operations by path, then by method in lower case. */
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: { readonly schemas: JsonObject } & JsonObject
}

/** @param version of the build that serves the API */
export function describeApi(routes: readonly Route[], { version }: { readonly version: string }): OpenApiDocument {
  const printer = createSchemaPrinter(SHAPES)
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const operation = describeOperation(route, printer)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version, description: ABOUT, license: LICENSE },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    tags: tagsOf(routes.map(({ path }) => path)),
    paths,
    components: {
      schemas: printer.components,
      parameters: headerParameterComponents(),
      headers: headerComponents(),
      responses: failureComponents(header),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const ABOUT = [
  'Hands work to coding agents, and keeps people in control of it.',
  '',
  'Every error is `{"error": "…"}`. A path with another method than it offers is 405 with `Allow`; an unknown path is 404.',
  'GET implies HEAD; OPTIONS answers preflight requests. An absent value is left out, never null. Instants are RFC 3339',
  'in UTC. While no token is configured none is asked for.',
].join('\n')

const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token as `Authorization: Bearer <token>`.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'What POST /api/session gives a browser in exchange for a token; behind https with `__Host-` before it.',
  },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'Where a browser cannot set headers: EventSource and WebSocket.',
  },
}
