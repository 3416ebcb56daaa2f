/** Lines as the CLIs print them, and how a whole run of them reads. */
import type { ConversationEvent } from '../../../core/transcript/events.ts'
import { createLineSplitter } from '../../../core/transcript/lines.ts'
import type { Transcript } from '../../../core/transcript/transcript.ts'
import type { ProcessEnd } from '../../../core/transcript/exit.ts'

export const toOutput = (...lines: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))

export interface Run {
  readonly events: readonly ConversationEvent[]
  readonly replies: readonly string[]
  readonly taken: readonly string[]
  readonly isOver: boolean
}

/** Feeds a transcript with output that comes in pieces of the given sizes. */
export function readAll(transcript: Transcript, output: Uint8Array, sizes: readonly number[] = []): Run {
  const splitter = createLineSplitter()
  const lines = []
  let at = 0
  for (const size of [...sizes, output.length]) {
    lines.push(...splitter.push(output.slice(at, at + size)))
    at += size
  }
  const readings = [...lines, ...splitter.end()].map((line) => transcript.read(line))
  return {
    events: readings.flatMap(({ events }) => events),
    replies: readings.flatMap(({ replies = [] }) => replies),
    taken: readings.flatMap(({ taken = [] }) => taken),
    isOver: readings.some(({ isOver }) => isOver === true),
  }
}

/** When every run of the tests has ended. */
export const ENDED_AT = Date.parse('2026-01-01T00:00:00Z')

export const exited = (exitCode: number, stderrTail = ''): ProcessEnd => ({
  agent: 'agent-x',
  exitCode,
  signal: null,
  endedAt: ENDED_AT,
  stderrTail,
})
export const killed = (signal: string): ProcessEnd => ({
  agent: 'agent-x',
  exitCode: null,
  signal,
  endedAt: ENDED_AT,
  stderrTail: '',
})
