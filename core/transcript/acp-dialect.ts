/**
 * What one program that speaks the Agent Client Protocol says when something goes wrong. The protocol has codes for a login
 * that is missing and a session that is gone; the rest are words, which differ between programs (Agent.spec.acp).
 */
import type { AcpDialect } from '../crd/types.ts'
import { isJsonObject, parseJson } from '../json.ts'
import { type Fields, countIn, fieldsIn, numberIn, textIn } from './fields.ts'

/** What went wrong, as the exit is interpreted. */
export type AcpFault = 'auth' | 'limit' | 'busy' | 'lostSession' | 'other'

/** An error that the program answered a request with (JSON-RPC 2.0, section 5.1). */
export interface AcpError {
  readonly code: number
  /** Its message, and what its data says beside it. */
  readonly text: string
  /** HTTP status of the provider, where it tells one. */
  readonly status?: number | undefined
}

/** Order counts: a refused login that speaks of a session is a refused login. */
const BY_PATTERN = ['auth', 'limit', 'busy', 'lostSession'] as const satisfies readonly AcpFault[]

/** Authentication required, and resource not found (ACP, errors). */
const BY_CODE: ReadonlyMap<number, AcpFault> = new Map([
  [-32000, 'auth'],
  [-32002, 'lostSession'],
])

/** The provider's own sentence, where the program passes its whole answer on, as gemini does. */
export function readable(text: string): string {
  const quoted = parseJson(text)
  return (isJsonObject(quoted) ? textIn(fieldsIn(quoted, 'error'), 'message') : undefined) ?? text
}

/** What stands in the error of an answer. */
export function toError(error: Fields): AcpError {
  const data = fieldsIn(error, 'data')
  const message = textIn(error, 'message') ?? 'the program answered with an error'
  const more = textIn(data, 'message') ?? textIn(data, 'details') ?? textIn(error, 'data')
  const code = numberIn(error, 'code') ?? 0
  // gemini gives the status of its provider as the code.
  const status =
    countIn(data, 'statusCode') ?? countIn(data, 'status') ?? (code >= 400 && code < 600 ? code : undefined)
  const text = more === undefined || message.includes(more) ? message : `${message}: ${more}`
  return { code, text, status }
}

/**
 * The manifest's words come first, then the protocol's codes, then what the provider answered. Its words for a failure
 * count before a status, by which gemini 0.61.0 tells as an overload what is none.
 */
export function faultOf({ code, text, status }: AcpError, dialect: AcpDialect): AcpFault {
  const said = faultIn(text, dialect)
  if (said !== undefined) return said
  if (isFailure(text, dialect)) return 'other'
  const known = BY_CODE.get(code)
  if (known !== undefined) return known
  if (status === 401 || status === 403) return 'auth'
  return status === 429 || (status !== undefined && status >= 500) ? 'busy' : 'other'
}

/** What a text of the program is known to mean; undefined where no pattern fits. */
export function faultIn(text: string, dialect: AcpDialect): AcpFault | undefined {
  return BY_PATTERN.find((fault) => dialect[fault]?.some((pattern) => matchesPattern(text, pattern)))
}

/** Whether a text says that something failed, whatever the program makes of it. */
export function isFailure(text: string, { failure }: AcpDialect): boolean {
  return failure?.some((pattern) => matchesPattern(text, pattern)) === true
}

/**
 * Whether a text holds a pattern: its parts between the `*` one after the other, in any case. Linear in the text, whatever
 * the pattern is, since an agent may say anything.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const whole = text.toLowerCase()
  let from = 0
  for (const part of pattern.toLowerCase().split('*')) {
    const at = whole.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}
