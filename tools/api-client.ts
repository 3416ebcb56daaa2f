import type { JSONSchema } from 'json-schema-to-typescript'
import { format } from 'prettier'
import type { OpenApiDocument } from '../core/rest/openapi/document.ts'
import { STYLE } from './crd-data.ts'
import { printTypes } from './crd-types.ts'

/** What the generator reads of an operation. */
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JSONSchema
}

interface Media {
  readonly schema: JSONSchema
}

/** An operation of the client: its input and output by the names of their types. */
interface Method {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly members: readonly string[]
  readonly isInputNeeded: boolean
  /** Method of the Transport that receives the answer, and the type of what it gives. */
  readonly receive: string
  readonly result: string
}

const HEADER = '// Generated from the OpenAPI document by tools/generate.ts; do not edit.\n'

/** core/rest/client/api.ts: a type per shape and a method per operation. A WebSocket is no call, and is left out. */
export async function renderApiClient(document: OpenApiDocument): Promise<string> {
  const { paths, components }: { paths: object; components: { schemas: Record<string, JSONSchema> } } = JSON.parse(
    JSON.stringify(document).replaceAll('#/components/schemas/', '#/definitions/'),
  )
  const definitions: Record<string, JSONSchema> = { ...components.schemas }
  const methods = readOperations(paths).flatMap(([path, method, operation]) =>
    describeMethod({ path, method, operation }, definitions),
  )
  const types = await printTypes(definitions)
  const calls = methods.map(printCall).join('\n')
  const hasRaw = methods.some(({ members }) => members.includes(RAW_MEMBER))
  const imported = ['Call', 'CallOptions', ...(hasRaw ? ['RawContent'] : []), 'Transport'].join(', ')
  const source = `${HEADER}
import type { ${imported} } from './call.ts'
import type { ServerEvent } from './events.ts'\n\n${types}\nexport interface ApiClient {\n${methods.map(printSignature).join('\n')}\n}

/** A method for each operation of the API, on top of a transport. */
export function createApiClient(transport: Transport): ApiClient {
  return {\n${calls}\n  }\n}\n`
  return format(source, STYLE)
}

const RAW_MEMBER = 'raw: RawContent'

function readOperations(paths: object): [string, string, Operation][] {
  const items: [string, Record<string, Operation>][] = Object.entries(paths)
  return items.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  )
}

function describeMethod(
  { path, method, operation }: Pick<Method, 'path' | 'method' | 'operation'>,
  definitions: Record<string, JSONSchema>,
): Method[] {
  const answer = receiveOf(operation, definitions)
  if (answer === undefined) return []
  const params = operation.parameters.filter((parameter) => parameter.in === 'path')
  const query = operation.parameters.filter((parameter) => parameter.in === 'query')
  const isQueryNeeded = query.some(({ required }) => required)
  const hasIfMatch = operation.parameters.some(({ $ref }) => $ref?.endsWith('/If-Match'))
  const body = bodyOf(operation, definitions)
  const members = [
    ...(params.length === 0 ? [] : [`params: { ${params.map(({ name }) => `${name}: string`).join('; ')} }`]),
    ...(query.length === 0 ? [] : [`query${isQueryNeeded ? '' : '?'}: ${queryType(operation, query, definitions)}`]),
    ...body,
    ...(hasIfMatch ? ['ifMatch?: string'] : []),
  ]
  const isInputNeeded = params.length > 0 || isQueryNeeded || operation.requestBody?.required === true
  return [{ path, method, operation, members, isInputNeeded, ...answer }]
}

function queryType({ operationId }: Operation, query: readonly Parameter[], definitions: Record<string, JSONSchema>) {
  const name = typeName(operationId, 'Query')
  const properties = query.map((parameter): [string, JSONSchema] => [
    parameter.name ?? '',
    { ...parameter.schema, ...(parameter.description === undefined ? {} : { description: parameter.description }) },
  ])
  const required = query.flatMap((parameter) => (parameter.required === true ? [parameter.name ?? ''] : []))
  definitions[name] = { type: 'object', properties: Object.fromEntries(properties), required }
  return name
}

function bodyOf({ operationId, requestBody }: Operation, definitions: Record<string, JSONSchema>): string[] {
  if (requestBody === undefined) return []
  const json = requestBody.content['application/json']
  if (json === undefined || Object.keys(requestBody.content).length > 1) return [RAW_MEMBER]
  return [`body${requestBody.required ? '' : '?'}: ${nameOf(json.schema, typeName(operationId, 'Body'), definitions)}`]
}

/** How the first success is received; undefined for an operation that has none. */
function receiveOf({ operationId, responses }: Operation, definitions: Record<string, JSONSchema>) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (success === undefined) return undefined
  const [[type, media] = []] = Object.entries(success.content ?? {})
  if (type === undefined || media === undefined) return { receive: 'nothing', result: 'Promise<void>' }
  if (type === 'text/event-stream') return { receive: 'events', result: 'AsyncIterable<ServerEvent>' }
  if (type === 'application/json') {
    const result = nameOf(media.schema, typeName(operationId, 'Result'), definitions)
    return { receive: 'json', result: `Promise<${result}>` }
  }
  return media.schema.format === 'binary'
    ? { receive: 'bytes', result: 'Promise<ArrayBuffer>' }
    : { receive: 'text', result: 'Promise<string>' }
}

/** The name of a schema's type: of the shape that it refers to, else a new one. */
function nameOf(schema: JSONSchema, fallback: string, definitions: Record<string, JSONSchema>): string {
  const referred = /^#\/definitions\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  if (referred !== undefined) return referred
  // What takes anything at all still means something: a typed caller sends that.
  const [meant, anything] = schema.anyOf ?? []
  if (meant !== undefined && anything !== undefined && Object.keys(anything).length === 0)
    return nameOf(meant, fallback, definitions)
  const { items } = schema
  if (schema.type === 'array' && items !== undefined && !Array.isArray(items) && typeof items === 'object')
    return items.$ref === undefined && items.type === 'string'
      ? 'readonly string[]'
      : `readonly ${nameOf(items, `${fallback}Item`, definitions)}[]`
  definitions[fallback] = schema
  return fallback
}

function typeName(operationId: string, suffix: string): string {
  return `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}${suffix}`
}

function inputType({ members }: Method): string {
  return members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`
}

function printSignature(method: Method): string {
  const { operation, isInputNeeded, result } = method
  const refusals = Object.keys(operation.responses).filter((status) => status >= '400')
  return `  /** ${operation.summary}. Refusals: ${refusals.join(', ')}. */
  ${operation.operationId}(input${isInputNeeded ? '' : '?'}: ${inputType(method)}, options?: CallOptions): ${result}`
}

function printCall({ operation, method, path, receive, isInputNeeded }: Method): string {
  const call = `{ method: '${method.toUpperCase()}', path: '${path}', ...input } satisfies Call`
  return `    ${operation.operationId}: (input${isInputNeeded ? '' : ' = {}'}, options) => transport.${receive}(${call}, options),`
}
