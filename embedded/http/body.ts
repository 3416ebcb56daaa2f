import type { IncomingMessage } from 'node:http'
import { type CST, type Document, isScalar, LineCounter, parseDocument, Parser, visit } from 'yaml'
import { isJsonValue, MAX_BODY_BYTES, parseBody, tooLarge } from '../json-value.ts'
import type { JsonValue } from '../schema/json.ts'
import { ApiError, badRequest, unsupportedMediaType } from '../status.ts'

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const MEDIA_TYPES = ['application/json', 'application/yaml', PROTOBUF]

/** Reads a body as text. @throws ApiError 413 when it is too large */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request)).toString('utf8')
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** The media type without its parameters; JSON when there is none. */
export function mediaType(request: IncomingMessage): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  return type.trim().toLowerCase() || 'application/json'
}

/**
 * Reads an object or options from a body; undefined when the body is empty.
 *
 * @throws ApiError 400 for what cannot be parsed, 415 for types and, in protobuf, kinds that are unknown
 */
export async function readValue(request: IncomingMessage, kind: string): Promise<JsonValue | undefined> {
  const type = mediaType(request)
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  if (type === PROTOBUF) return readProtobuf(bytes)
  const text = bytes.toString('utf8')
  if (type === 'application/yaml' || type === 'application/x-yaml') return parseYamlBody(text)
  if (type !== 'application/json' && type !== '*/*') throw unsupportedMediaType(MEDIA_TYPES)
  return parseBody(text, kind)
}

/** As {@link readValue}. @throws ApiError 400 for an empty body too */
export async function requiredBody(request: IncomingMessage, kind: string): Promise<JsonValue> {
  return (await readValue(request, kind)) ?? parseBody('', kind)
}

async function readProtobuf(bytes: Buffer): Promise<JsonValue> {
  // Few clients need it, and its table of messages would cost each start some milliseconds.
  const { BadProtobuf, decodeProtobuf, UnreadableKind } = await import('../protobuf/decode.ts')
  try {
    return decodeProtobuf(bytes)
  } catch (error) {
    if (error instanceof BadProtobuf)
      throw badRequest(`the object provided is unreadable as protobuf: ${error.message}`)
    if (!(error instanceof UnreadableKind)) throw error
    const hint = 'send the object with -f or --dry-run=client -o json | kubectl create -f -'
    const message = `this server does not read ${error.message} as protobuf, only as JSON and YAML: ${hint}`
    throw new ApiError(415, 'UnsupportedMediaType', message)
  }
}

/** Deeper than any object; the parser recurses, and at the end of the stack the engine may end the process. */
const MAX_YAML_DEPTH = 200

function parseYamlBody(text: string): JsonValue {
  if (!isNestedTooDeep(text)) {
    const value = readYaml(text)
    if (isJsonValue(value)) return value
  }
  throw badYaml('the document is nested too deep, or holds values that JSON does not have')
}

function readYaml(text: string): unknown {
  const lines = new LineCounter()
  // Asked of the library, unique keys take the square of their number, and pretty errors a millisecond each.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) throw badYaml(`${error.message} ${placeOf(lines, error.pos[0])}`)
  requireUniqueKeys(document, lines)
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (cause) {
    if (cause instanceof ReferenceError) throw badYaml(cause.message)
    throw cause
  }
}

function requireUniqueKeys(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (known.has(key.value)) throw badYaml(`Map keys must be unique ${placeOf(lines, key.range?.[0] ?? 0)}`)
        known.add(key.value)
      }
    },
  })
}

function placeOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `at line ${line}, column ${col}`
}

function badYaml(detail: string): ApiError {
  return badRequest(`error converting YAML to JSON: ${detail}`)
}

/** By its tokens, which are read without recursion. */
function isNestedTooDeep(text: string): boolean {
  const waiting = [...new Parser().parse(text)].map((token) => ({ token, depth: 0 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next
    if (depth > MAX_YAML_DEPTH) return true
    for (const child of childrenOf(token)) waiting.push({ token: child, depth: depth + 1 })
  }
  return false
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child !== undefined && child !== null)
}
