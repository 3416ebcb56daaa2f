import type { ServerResponse } from 'node:http'
import type { JsonValue } from '../schema/json.ts'
import { type ApiError, toStatus } from '../status.ts'

/** Headers of every reply, as a kube-apiserver's; kubectl prints Audit-Id nowhere, so it is left out. */
const COMMON = { 'Cache-Control': 'no-cache, private' } as const

export function sendJson(response: ServerResponse, code: number, value: JsonValue): void {
  sendText(response, code, 'application/json', JSON.stringify(value))
}

/** Sends a text that is already made, for example an object as it is stored. */
export function sendText(response: ServerResponse, code: number, type: string, text: string): void {
  response.writeHead(code, { ...COMMON, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

export function sendError(response: ServerResponse, error: ApiError): void {
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds)
  sendJson(response, error.code, toStatus(error))
}

/** What unknown paths get: kubectl tells from the plain text that it is no object that is missing. */
export function sendPageNotFound(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  sendText(response, 404, 'text/plain; charset=utf-8', '404 page not found\n')
}

/** As of a kube-apiserver; clients take headers of 16 KiB in all. */
const [MAX_WARNING, MAX_WARNINGS] = [256, 4096]

/** RFC 7234's `Warning` header, which kubectl prints; one per field that was dropped, as many as clients can take. */
export function addWarnings(response: ServerResponse, warnings: readonly string[]): void {
  const headers: string[] = []
  let left = MAX_WARNINGS
  for (const text of warnings) {
    const shown = text.slice(0, MAX_WARNING)
    left -= shown.length
    if (left < 0) break
    headers.push(`299 - "${shown.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`)
  }
  if (headers.length > 0) response.setHeader('Warning', headers)
}
