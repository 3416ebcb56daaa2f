import type { IncomingMessage } from 'node:http'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { isDeeperThan, isJsonValue } from './json-value.ts'
import type { JsonValue } from '../schema/json.ts'
import { ApiError, badRequest, unsupportedMediaType } from '../status.ts'

/** As a kube-apiserver. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024

/** A kube-apiserver allows 10,000; every object there is needs a few dozen, and checks here recurse. */
export const MAX_DEPTH = 1000

const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** Reads a body. @throws ApiError 413 when it is too large */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY_BYTES) {
      throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`)
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The media type without its parameters; JSON when there is none. */
export function mediaType(request: IncomingMessage): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  return type.trim().toLowerCase() || 'application/json'
}

/**
 * Reads an object or options from a body; undefined when the body is empty.
 *
 * @throws ApiError 400 for what cannot be parsed, 415 for protobuf and unknown types
 */
export async function readValue(request: IncomingMessage, kind: string): Promise<JsonValue | undefined> {
  const type = mediaType(request)
  const text = await readBody(request)
  if (text === '') return undefined
  if (type === 'application/vnd.kubernetes.protobuf') {
    throw new ApiError(
      415,
      'UnsupportedMediaType',
      'this server reads JSON and YAML bodies only, not protobuf: send the object with -f or --dry-run=client -o json | kubectl create -f -',
    )
  }
  if (type === 'application/yaml' || type === 'application/x-yaml') return parseYamlBody(text)
  if (type !== 'application/json' && type !== '*/*') throw unsupportedMediaType(MEDIA_TYPES)
  return parseJson(text, (detail) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${detail} (${text.slice(0, 40)})`,
    ),
  )
}

/** @throws what `refuse` makes of the parser's words */
export function parseJson(text: string, refuse: (detail: string) => Error): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    if (!isDeeperThan(MAX_DEPTH, value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // What Go's decoder says of the commonest mistake, a cut body; its other texts are its own.
    throw refuse(/end of JSON|Unterminated/.test(error.message) ? 'unexpected end of JSON input' : error.message)
  }
  throw refuse('exceeded max depth')
}

function parseYamlBody(text: string): JsonValue {
  try {
    const value: unknown = parseYaml(text, { maxAliasCount: 0 })
    if (isJsonValue(value) && !isDeeperThan(MAX_DEPTH, value)) return value
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError)
      throw badRequest(`error converting YAML to JSON: ${error.message}`)
    throw error
  }
  throw badRequest(
    'error converting YAML to JSON: the document is nested too deep, or holds values that JSON does not have',
  )
}
