/** What reads the output of one kind of CLI while it runs. */
import type { Question, Tokens } from '../execution/result.ts'
import type { Static } from 'typebox'
import type { ConversationEvent } from './events.ts'
import type { Line } from './lines.ts'

/** What a CLI said of itself, gathered over its whole output. */
export interface TranscriptFacts {
  sessionId?: string
  model?: string
  /** Its own final word; absent: it did not get that far. */
  result?: { readonly isError: boolean; readonly text?: string; readonly subtype?: string }
  /** The CLI's word for an error of the provider (`rate_limit`, `authentication_failed` …). */
  errorCode?: string
  /** Text of that error. */
  errorText?: string
  /** HTTP status of that error. */
  httpStatus?: number
  /** A usage limit that the provider reported; `resetsAt` in ms since the epoch, where it is known. */
  limit?: { readonly resetsAt?: number; readonly kind?: string }
  questions?: readonly Question[]
  tokens?: Static<typeof Tokens>
  costUSD?: number
  turns?: number
}

/** What one line of output comes to. */
export interface Reading {
  readonly events: readonly ConversationEvent[]
  /** Lines to write to the CLI's stdin. */
  readonly replies?: readonly string[]
  /** The CLI has said all; its stdin can be closed. */
  readonly isOver?: boolean
}

/** Reads one run of a CLI, line by line; holds the facts of that run. */
export interface Transcript {
  read(line: Line): Reading
  readonly facts: Readonly<TranscriptFacts>
}
