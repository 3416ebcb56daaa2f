/** What reads the output of one kind of CLI while it runs. */
import type { Tokens } from '../crd/types.ts'
import type { Question } from '../execution/result.ts'
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
  /** Names of MCP servers that did not start. */
  failedServers?: string[]
  /** For this run alone, without the session that it resumes. */
  tokens?: Tokens
  /** Those of `tokens` that `costUSD` does not hold, where the CLI tells a cost at all: it was ended before it told. */
  untold?: Tokens
  /** For this run alone. */
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
  /** Ids of lines with messages to the running agent that the CLI has given to its model. */
  readonly taken?: readonly string[]
  /** With `isOver`: the turn was stopped, and the CLI waits for what follows. */
  readonly isStopped?: boolean
  /** It may say more all the same, when work that it has given to others comes back. */
  readonly mayGoOn?: boolean
}

/** Reads one run of a CLI, line by line; holds the facts of that run. */
export interface Transcript {
  read(line: Line): Reading
  /** Whether a line only says in pieces what a later one says whole, so that nobody need keep it. */
  isPiece?(line: string): boolean
  readonly facts: Readonly<TranscriptFacts>
}
