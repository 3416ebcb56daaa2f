import type { TSchema } from 'typebox'
import type { JsonObject } from '../../json.ts'
import { RecordId } from '../../schema/fields.ts'
import { type BodyRule, type Content, type Route, isFromCache, scopeOf } from '../route.ts'
import { failuresOf, needsToken } from './failures.ts'
import { header, headerParameters, isConditional } from './headers.ts'
import type { SchemaPrinter } from './schemas.ts'
import { tagOf } from './tags.ts'

/** Where `?token=` is taken, because a browser cannot set headers there. */
const takesTokenInQuery = ({ id, responses }: Route): boolean =>
  id === 'openLiveConnection' || responses[200]?.kind === 'eventStream'

/** Names of resources, as Kubernetes allows them; whatever else stands in a path names nothing, which is a 404. */
const NAME_PATTERN = '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$'

/** One row of the route table as an Operation Object (OpenAPI 3.1, section 4.8.10). */
export function describeOperation(route: Route, printer: SchemaPrinter): JsonObject {
  const { id, summary, body } = route
  return {
    operationId: id,
    tags: [tagOf(route.path)],
    summary,
    description: describe(route),
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(route, printer), ...headerParameters(route)],
    ...(body === undefined ? {} : { requestBody: requestBody(body, printer) }),
    responses: { ...successesOf(route, printer), ...failuresOf(route) },
  }
}

function describe(route: Route): string {
  const { body } = route
  const sentences = [
    needsToken(route) ? `Needs a token with the scope \`${scopeOf(route)}\` where tokens are set.` : 'Needs no token.',
    ...(body?.kind === 'json' && body.late && body.isOptional !== true
      ? ['The body is looked at after lookup (404) and state check (409).']
      : []),
    ...(route.hasStream === true ? [`With \`Accept: text/event-stream\` it is \`${route.path}/stream\`.`] : []),
    ...(body?.kind === 'raw' ? [`At most ${body.maxBytes} bytes.`] : []),
  ]
  return sentences.join(' ')
}

/** The scope stands as a role, as OpenAPI 3.1 allows for schemes other than OAuth2. */
function securityOf(route: Route): JsonObject[] {
  if (!needsToken(route)) return []
  const schemes = ['bearer', 'cookie', ...(takesTokenInQuery(route) ? ['query'] : [])]
  return schemes.map((scheme) => ({ [scheme]: [scopeOf(route)] }))
}

function pathParameters({ params }: Route): JsonObject[] {
  return Object.entries(params.properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: schema === RecordId ? `Name of the ${name === 'id' ? 'record' : name}.` : `The ${name}.`,
    schema: schema === RecordId ? { type: 'string', pattern: NAME_PATTERN, maxLength: 253 } : { ...schema },
  }))
}

function queryParameters({ query }: Route, printer: SchemaPrinter): JsonObject[] {
  const required = new Set(query.required)
  return Object.entries(query.properties).map(([name, member]) => {
    const { description, ...schema } = printer.print(member)
    const about = description === undefined ? {} : { description }
    return { name, in: 'query', ...about, required: required.has(name), schema }
  })
}

function requestBody(rule: BodyRule, printer: SchemaPrinter): JsonObject {
  const types = rule.kind === 'json' ? ['application/json'] : rule.contentTypes
  const schema = printer.print(rule.schema)
  const isOptional = rule.kind === 'json' && rule.isOptional === true
  return { required: !isOptional, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function successesOf(route: Route, printer: SchemaPrinter): JsonObject {
  const declared = Object.entries(route.responses).map(([status, content]) => [
    status,
    describeAnswer(route, Number(status), content, printer),
  ])
  const notModified = { description: 'The caller has the present version already.', headers: headers(['ETag']) }
  return {
    ...(route.errors.includes(426) ? { 101: switching } : {}),
    ...Object.fromEntries(declared),
    ...(isConditional(route) ? { 304: notModified } : {}),
  }
}

/** WebSocket messages have no place in OpenAPI, so their schema is named in an extension. */
const switching: JsonObject = {
  description: 'The connection is a WebSocket now: each message is a LiveMessage in JSON.',
  'x-message': { $ref: '#/components/schemas/LiveMessage' },
}

/** Each event of a stream, as OpenAPI 3.2 would say by `itemSchema`; 3.1 has one schema for the whole. */
function describeEvents(events: Readonly<Record<string, TSchema>>, printer: SchemaPrinter): JsonObject {
  const each = Object.entries(events).map(([name, shape]) => ({
    type: 'object',
    properties: {
      event: { const: name },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: printer.print(shape) },
      id: { type: 'string' },
    },
    required: name === 'end' ? ['event', 'data'] : ['event', 'data', 'id'],
  }))
  return { anyOf: each }
}

function describeAnswer(route: Route, status: number, content: Content, printer: SchemaPrinter): JsonObject {
  const answer = { description: describeStatus(status, content), headers: headers(headersOf(route, status, content)) }
  switch (content.kind) {
    case 'json':
      return { ...answer, content: { 'application/json': { schema: printer.print(content.schema) } } }
    case 'none':
      return answer
    case 'file':
    case 'text':
      return { ...answer, content: { [content.contentType]: { schema: schemaOfType(content.contentType) } } }
    case 'eventStream':
      return { ...answer, content: { 'text/event-stream': { schema: describeEvents(content.events, printer) } } }
    default:
      return content satisfies never
  }
}

/** Manifests are resources in YAML; files are bytes unless they are text. */
function schemaOfType(contentType: string): TSchema {
  if (contentType.startsWith('application/yaml'))
    return { type: 'object', required: ['apiVersion', 'kind', 'metadata'] }
  return contentType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function describeStatus(status: number, { kind }: Content): string {
  if (kind === 'eventStream') return 'Server-sent events, `end` as the last one.'
  const words: Readonly<Record<number, string>> = {
    201: 'Created.',
    202: 'Accepted: it happens from here on.',
    204: 'Done; there is nothing to say.',
    206: 'The part that Range asked for.',
  }
  return words[status] ?? 'Done.'
}

function headersOf(route: Route, status: number, { kind }: Content): string[] {
  return [
    ...(isConditional(route) ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...('cursor' in route.query.properties ? ['Link'] : []),
    ...(kind === 'file' ? ['Accept-Ranges'] : []),
    ...(status === 206 ? ['Content-Range'] : []),
    ...(isFromCache(route) || route.method === 'PUT' ? ['Warning'] : []),
  ]
}

function headers(names: readonly string[]): JsonObject {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, header(name)]))
}
