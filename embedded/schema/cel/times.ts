import { evaluate } from '@marcbachmann/cel-js'
import type { JsonValue } from '../json.ts'

/** A date or date-time as CEL's timestamp, with milliseconds at most. */
export function timestampFrom(raw: JsonValue): unknown {
  return typeof raw === 'string' ? new Date(raw) : raw
}

/** A Go duration as CEL's duration; the library's own constructor is not exported. */
export function durationFrom(raw: JsonValue): unknown {
  return typeof raw === 'string' ? evaluate('duration(text)', { text: raw }) : raw
}
