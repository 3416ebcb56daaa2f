import { ERROR_CODES, ERROR_HEADER } from '../../errors.ts'
import type { JsonObject } from '../../json.ts'
import type { Route } from '../route.ts'

/** Response headers, each described once under `components/headers`. */
const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'Id of the request in the logs: the caller’s own if it sent a usable one.',
  ETag: 'Version of the record, for If-Match and If-None-Match.',
  Location: 'Path of the record that was created.',
  Link: 'Path of the next page, with rel="next"; absent on the last one (RFC 8288).',
  'Retry-After': 'Seconds after which it makes sense to try again.',
  Allow: 'The methods that the path offers.',
  'WWW-Authenticate': 'How to authenticate (RFC 6750).',
  'Content-Range': 'The part that is sent, or how many bytes there are (RFC 9110, section 14.4).',
  'Accept-Ranges': 'Says that Range is honoured.',
  Upgrade: 'The protocol to use.',
  [ERROR_HEADER]: 'The code of the error, for programs; the text of the body may change, the code does not.',
  Warning:
    '110: the answer comes from caches that may be out of date. 299: a manifest elsewhere declares what was edited, and the next sync may undo it (RFC 7234, section 5.5).',
}

/** Request headers that mean something to an operation, each described once under `components/parameters`. */
const REQUEST_HEADERS = {
  'X-Request-Id': 'Id of the request in the logs, returned in the answer; replaced if it is unusable.',
  'If-Match': 'Entity tag that the record must still have, else 412 says what changed.',
  'If-None-Match': 'Entity tags that the caller has already: 304 if the current one is among them.',
  'Last-Event-ID': 'The id of the last event that was received: the stream continues after it.',
  Range:
    'One part of the file, as `bytes=0-99` or `bytes=-100`; several parts at once are answered with the whole file.',
  'If-Range': 'Entity tag of the version of which a part is wanted; of another version the whole file is sent.',
} as const

type RequestHeader = keyof typeof REQUEST_HEADERS

export function headerComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string', ...(name === ERROR_HEADER && { enum: [...ERROR_CODES] }) } },
    ]),
  )
}

/** A reference to a response header. */
export function header(name: string): JsonObject {
  return { $ref: `#/components/headers/${name}` }
}

export function headerParameterComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(REQUEST_HEADERS).map(([name, description]) => [
      name,
      { name, in: 'header', description, schema: { type: 'string' } },
    ]),
  )
}

/** References to the request headers that count for an operation. */
export function headerParameters(route: Route): JsonObject[] {
  const names: RequestHeader[] = ['X-Request-Id']
  const contents = Object.values(route.responses)
  if (route.errors.includes(412)) names.push('If-Match')
  if (isConditional(route)) names.push('If-None-Match')
  if (route.hasStream === true || contents.some(({ kind }) => kind === 'eventStream')) names.push('Last-Event-ID')
  if (contents.some(({ kind }) => kind === 'file')) names.push('Range', 'If-Range')
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

/** Whether the answer may carry an entity tag, so that 304 can come in its place. */
export function isConditional({ method, responses }: Pick<Route, 'method' | 'responses'>): boolean {
  return method === 'GET' && Object.values(responses).some(({ kind }) => kind === 'json' || kind === 'file')
}
