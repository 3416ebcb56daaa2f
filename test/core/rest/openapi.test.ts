import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import { SHAPES } from '../../../core/rest/openapi/shapes.ts'
import { type OpenApiDocument, describeApi } from '../../../core/rest/openapi/document.ts'
import type { Route } from '../../../core/rest/route.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import { printRestDocs } from '../../../tools/rest-page.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

describe('the OpenAPI document', () => {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(describeApi(ROUTES, { version: '1.2.3' })))
  const operations = new Map<string, { method: string; path: string; operation: Operation }>()
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      operations.set((operation as Operation).operationId, { method, path, operation: operation as Operation })
  const get = (id: string): Operation => {
    const found = operations.get(id)
    assert.ok(found, id)
    return found.operation
  }

  it('says of no field twice that it may be null', () => {
    const twice = /\{"anyOf":\[[^[\]]*,\{"type":"null"\}\]\},\{"type":"null"\}/
    assert.doesNotMatch(JSON.stringify(document), twice)
    assert.doesNotMatch(printRestDocs(ROUTES), /null \\?\| null/)
  })

  it('is valid by the official schema of OpenAPI 3.1', async () => {
    const validator = new Validator({ strict: false })
    const result = await validator.validate(structuredClone(document) as object as Record<string, unknown>)
    assert.deepEqual([result.valid, result.valid ? undefined : result.errors], [true, undefined])
    assert.equal(validator.version, '3.1')
  })

  it('holds each route of the table once, by its method and path, and nothing else', () => {
    const rows: readonly Route[] = ROUTES
    const wanted = rows.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`).sort()
    const found = [...operations].map(([id, { method, path }]) => `${id} ${method} ${path}`).sort()
    assert.deepEqual(found, wanted)
  })

  it('declares each status that a row lists, success and refusal', () => {
    const rows: readonly Route[] = ROUTES
    const missing = rows.flatMap((row) =>
      [...Object.keys(row.responses), ...row.errors.map(String)]
        .filter((status) => get(row.id).responses[status] === undefined)
        .map((status) => `${row.id} ${status}`),
    )
    assert.deepEqual(missing, [])
  })

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer ?? '')
    const missing = references.filter((pointer) => resolve(document, pointer) === undefined)
    assert.deepEqual([references.length > 100, missing], [true, []])
  })

  it('uses every shape that docs/rest.md names, under the same name', () => {
    const names = SHAPES.map(([, name]) => name)
    assert.deepEqual(Object.keys(document.components.schemas), names)
    const text = JSON.stringify(document)
    const unused = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    assert.deepEqual(unused, [])
  })

  it('names shapes inside optional members and lists', () => {
    const { LiveMessage } = document.components.schemas as Record<string, { properties: Record<string, object> }>
    assert.deepEqual(LiveMessage?.properties['task'], { $ref: '#/components/schemas/Task' })
    assert.deepEqual(schemaOf('listTasks', '200'), { type: 'array', items: { $ref: '#/components/schemas/Task' } })
  })

  it('describes every field of a task, in the words of kubectl explain where it is the same field', () => {
    const { Task } = document.components.schemas as Record<string, { properties: Record<string, Described> }>
    const fields = Object.entries(Task?.properties ?? {})
    const silent = fields.filter(([, field]) => field.$ref === undefined && field.description === undefined)
    assert.deepEqual(
      silent.map(([name]) => name),
      [],
    )
    assert.match(Task?.properties['depends_on']?.description ?? '', /task/i)
  })

  it('declares a parameter for every name in braces of a path, and no other', () => {
    for (const { path, operation } of operations.values()) {
      const declared = operation.parameters.filter((parameter) => parameter['in'] === 'path').map(({ name }) => name)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(declared, named, path)
    }
  })

  it('offers the headers that count: If-Match on edits, Range on files, Last-Event-ID on streams', () => {
    const headersOf = (id: string): string[] =>
      get(id).parameters.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').pop() ?? ''] : []))
    assert.deepEqual(headersOf('updateTask'), ['X-Request-Id', 'If-Match'])
    assert.deepEqual(headersOf('getTask'), ['X-Request-Id', 'If-None-Match'])
    assert.deepEqual(headersOf('getExecutionStdout'), ['X-Request-Id', 'If-None-Match', 'Range', 'If-Range'])
    assert.deepEqual(headersOf('streamTaskLogs'), ['X-Request-Id', 'Last-Event-ID'])
  })

  it('asks for the token below /api/ with the scope of the row, and names where it may be in the query', () => {
    assert.deepEqual(get('getTask').security, [{ bearer: ['read'] }, { cookie: ['read'] }])
    assert.deepEqual(get('acceptTask').security, [{ bearer: ['decide'] }, { cookie: ['decide'] }])
    assert.deepEqual(get('streamTaskLogs').security.at(-1), { query: ['read'] })
    assert.deepEqual(get('getHealth').security, [])
    assert.equal(get('getHealth').responses['401'], undefined)
  })

  it('says of every refusal that it is {error}', () => {
    for (const { operation } of operations.values())
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        const shared = resolve(document, String(response['$ref']).slice(1)) as { content: Record<string, object> }
        assert.deepEqual(shared.content, {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        })
      }
  })

  function schemaOf(id: string, status: string): unknown {
    const content = get(id).responses[status]?.['content'] as Record<string, { schema: unknown }>
    return content['application/json']?.schema
  }
})

interface Described {
  readonly description?: string
  readonly $ref?: string
}

function resolve(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')], document)
}
