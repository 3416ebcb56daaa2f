import { type ErrorCode, ERROR_CODES, statusOfError } from '../core/errors.ts'
import { SHAPES } from '../core/rest/openapi/shapes.ts'
import { type Right, OPERATION_RIGHTS } from '../core/rest/rights.ts'
import { type Content, type Route, scopeOf } from '../core/rest/route.ts'
import type { TSchema } from 'typebox'

/** By what they say: an optional member is a copy of its shape. */
const SHAPE_NAMES: ReadonlyMap<string, string> = new Map(SHAPES.map(([schema, name]) => [JSON.stringify(schema), name]))

/** docs/rest.md: every operation of the table, in its order. */
export function printRestDocs(routes: readonly Route[]): string {
  return [
    '# REST API',
    '',
    'Generated from core/rest/routes.ts by `npm run generate`; do not edit. A server describes itself as OpenAPI 3.1 at',
    '`/api/openapi.json`, and shows the same as a page at `/api/docs`.',
    '',
    'Every error is `{"error": "…"}`, with its code for programs in the header `Slipway-Error`. Besides the statuses named below any',
    'request can answer 400 (an unknown or invalid query parameter or field), 401 (token missing or wrong), 403 (scope missing, or',
    'Host or Origin not allowed), 404 (unknown path), 405 (with `Allow`), 408 (the request did not arrive in time), 413, 414 and 431 (body, address or',
    'header fields too large), 415 (a body that is not JSON, or is compressed), 500 (the control plane failed; the outcome of a write may be unknown) and',
    '503 (with `Retry-After`: the server is starting, and its caches are not filled yet; `/api/version` answers then too).',
    'Fields marked `?` may be absent.',
    '',
    'A `GET` from caches that may be out of date has `Warning: 110`. A `PUT` of a resource that a manifest declares (it has no label',
    '`app.kubernetes.io/managed-by: slipway`) has `Warning: 299`: the edit is made, and the next sync may undo it. So has a `DELETE` of a task',
    'whose accepted work was still to be delivered, and a `POST` of a task whose budget cannot be kept.',
    '',
    '| method | path | what it does |',
    '|---|---|---|',
    ...routes.map(({ id, method, path, summary }) => `| ${method} | [${path}](#${id.toLowerCase()}) | ${summary} |`),
    '',
    ...routes.flatMap(printRoute),
    '## Error codes',
    '',
    'The values of `Slipway-Error`. A code keeps its meaning; the text of the error may change.',
    '',
    '| status | codes |',
    '|---|---|',
    ...codesByStatus().map(([status, codes]) => `| ${status} | ${codes.map((code) => `\`${code}\``).join(', ')} |`),
    '',
    '## Shapes',
    '',
    'Instants are RFC 3339 in UTC. An edit may also contain unchanged read-only fields.',
    '',
    ...SHAPES.flatMap(([schema, name]) => printShape(name, schema)),
  ].join('\n')
}

function codesByStatus(): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of ERROR_CODES)
    byStatus.set(statusOfError(code), [...(byStatus.get(statusOfError(code)) ?? []), code])
  return [...byStatus].sort(([a], [b]) => a - b)
}

function printRoute(route: Route): string[] {
  const answers = Object.entries(route.responses).map(([status, content]) => `- ${status}: ${printContent(content)}`)
  const streamNote =
    route.hasStream === true ? [`With \`Accept: text/event-stream\` it is \`${route.path}/stream\`.`, ''] : []
  return [
    `## ${route.id}`,
    '',
    `\`${route.method} ${route.path}\`: ${route.summary}.`,
    '',
    ...streamNote,
    ...printFields('Query', route.query),
    ...(route.body === undefined ? [] : printBody(route.body)),
    `- ${route.isOpen === true ? 'no token is needed' : printAccess(route)}`,
    ...answers,
    ...(route.errors.length === 0 ? [] : [`- errors: ${route.errors.join(', ')}`]),
    '',
  ]
}

function printAccess(route: Route): string {
  const rights = RIGHTS.get(route.id) ?? []
  return [`scope: ${scopeOf(route)}`, ...(rights.length === 0 ? [] : [`rights: ${rights.join(', ')}`])].join('; ')
}

const RIGHTS: ReadonlyMap<string, readonly Right[]> = new Map(Object.entries(OPERATION_RIGHTS))

function printBody(rule: NonNullable<Route['body']>): string[] {
  const order = rule.kind === 'json' && rule.late ? ' It is checked after the lookup and the state.' : ''
  const types = rule.kind === 'raw' ? ` as ${rule.contentTypes.join(' or ')}` : ''
  return [`Body${types}: \`${printType(rule.schema)}\`.${order}`, '']
}

function printFields(title: string, schema: TSchema): string[] {
  const shown = printType(schema)
  return shown === '{}' ? [] : [`${title}: \`${shown}\``, '']
}

function printContent(content: Content): string {
  switch (content.kind) {
    case 'json':
      return `\`${printType(content.schema)}\``
    case 'none':
      return 'no body'
    case 'file':
      return `${content.contentType}, \`Range\` is honoured`
    case 'text':
      return content.contentType
    case 'eventStream':
      return `text/event-stream: ${Object.entries(content.events).map(printEvent).join(', ')}`
    default:
      return content satisfies never
  }
}

function printEvent([name, data]: [string, TSchema]): string {
  return `event \`${name}\` with \`${printType(data)}\``
}

function printShape(name: string, schema: PrintedSchema): string[] {
  if (schema.properties === undefined) return [`### ${name}`, '', ...printAlternatives(schema), '']
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => printType(member) !== 'any')
  const rows = members.map(([field, member]) => {
    const type = printType(member).replaceAll('|', '\\|')
    return `| \`${field}${schema.required?.includes(field) === true ? '' : '?'}\` | ${type} |`
  })
  return [`### ${name}`, '', '| field | type |', '|---|---|', ...rows, '']
}

/** A shape that is no plain object: what all of it has, then one line for each alternative. */
function printAlternatives({ allOf = [], anyOf = [] }: PrintedSchema): string[] {
  const common = allOf.filter((part) => part.anyOf === undefined).map((part) => `\`${printType(part)}\` and one of`)
  const alternatives = [...anyOf, ...allOf.flatMap((part) => part.anyOf ?? [])]
  return [...(common.length === 0 ? [] : [...common, '']), ...alternatives.map((part) => `- \`${printType(part)}\``)]
}

/** What printing needs of a JSON schema. */
interface PrintedSchema {
  readonly const?: unknown
  readonly allOf?: readonly PrintedSchema[]
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly PrintedSchema[]
  readonly items?: PrintedSchema
  readonly properties?: Readonly<Record<string, PrintedSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, PrintedSchema>>
}

/** A schema in one line: `{id: string, name?: string}`. */
function printType(schema: PrintedSchema): string {
  const name = SHAPE_NAMES.get(JSON.stringify(schema))
  if (name !== undefined) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(printType).join(' | ')
  if (schema.items !== undefined) return `[${printType(schema.items)}]`
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values !== undefined) return `{…: ${printType(values)}}`
  if (schema.properties === undefined) return schema.type ?? 'any'
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const mark = schema.required?.includes(name) === true ? '' : '?'
    return `${name}${mark}: ${printType(member)}`
  })
  return `{${members.join(', ')}}`
}
