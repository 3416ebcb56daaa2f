/** What an execution printed, by lines. */
import { type Static, Type } from 'typebox'
import { closed, maybe } from '../../schema/fields.ts'

/** What a program prints on; each is a file of its own. */
export const LOG_STREAMS = ['stdout', 'stderr'] as const
export type LogStream = (typeof LOG_STREAMS)[number]

/** Bytes that are given of one line. */
export const MAX_LOG_LINE_BYTES = 8 * 1024
/** Lines in one answer. */
export const MAX_LOG_LINES = 2000

const LineNumber = Type.Integer({ minimum: 1, description: 'Number of the line, from 1.' })

export const LogLineRecord = closed({
  number: LineNumber,
  /** Without its line end; bytes that are no UTF-8 as U+FFFD, control characters as they are. */
  text: Type.String(),
  /** How much of a longer line is left out behind `text`. */
  cut_bytes: maybe(Type.Integer()),
})

export const LogWindowRecord = closed({
  stream: Type.Enum(LOG_STREAMS),
  /** All there are now; text behind the last line end is a line too. */
  total_lines: Type.Integer(),
  size_bytes: Type.Integer(),
  lines: Type.Array(LogLineRecord),
})

export const LogMatchesRecord = closed({
  stream: Type.Enum(LOG_STREAMS),
  total_lines: Type.Integer(),
  /** Lines that contain the text. */
  count: Type.Integer(),
  /** Their numbers, ascending: the first of them. */
  lines: Type.Array(LineNumber),
  /** False when the time was up before the end of the log: there may be more. */
  is_complete: Type.Boolean(),
  /** Then: where to go on with `from`. */
  next_line: maybe(LineNumber),
})

export type LogLineRecord = Static<typeof LogLineRecord>
export type LogWindowRecord = Static<typeof LogWindowRecord>
export type LogMatchesRecord = Static<typeof LogMatchesRecord>
