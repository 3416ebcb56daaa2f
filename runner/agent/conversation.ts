/**
 * Turns what a CLI prints into the conversation file (events.jsonl) while it runs, one line per event with its time, and
 * collects the facts by which its exit is interpreted.
 *
 * The file ends at `maxBytes` with an event that says so. Reading goes on after that, because the last facts matter most.
 */
import type { FileHandle } from 'node:fs/promises'
import { ownWords } from '../../core/transcript/own-words.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'
import { type Line, createLineSplitter } from '../../core/transcript/lines.ts'
import type { Reading, Transcript, TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { Clock } from '../../lib/clock.ts'
import { type StreamRedactor, createStreamRedactor, makeRedactor } from '../redact.ts'

export interface ConversationTarget {
  /** Opened for appending. */
  readonly file: FileHandle
  /** What the file holds already. */
  readonly sizeBytes: number
  readonly maxBytes: number
  readonly clock: Clock
  /** Events that come before everything that the CLI says. */
  readonly preface?: readonly ConversationEvent[] | undefined
  /** Messages in its prompt, as events; `onTaken` is called once the CLI has begun with the prompt. */
  readonly opening?:
    { readonly events: readonly ConversationEvent[]; readonly onTaken: () => Promise<void> } | undefined
  /** Secrets that may be spread over several pieces of one text; the pieces themselves hold none. */
  readonly secrets: readonly string[]
  /** Writes a line to the CLI's stdin; nothing more is read until it resolves. */
  readonly reply: (line: string) => Promise<void>
  /** Called when the CLI has ended its turn. */
  readonly onOver: (end: Pick<Reading, 'mayGoOn' | 'isStopped'>) => Promise<void>
  /** Called when the CLI has taken a message; gives what the conversation tells of it. */
  readonly onTaken?: ((id: string) => Promise<readonly ConversationEvent[]>) | undefined
}

export interface Conversation {
  /** Takes a chunk of stdout; resolves when its events are written. */
  take(chunk: Uint8Array): Promise<void>
  /** Takes the last line, which may lack a line feed. */
  end(): Promise<void>
  readonly facts: Readonly<TranscriptFacts>
}

export function createConversation(transcript: Transcript, target: ConversationTarget): Conversation {
  const splitter = createLineSplitter()
  let left = Math.max(0, target.maxBytes - target.sizeBytes)
  let { preface = [], opening } = target
  const redactor = createTextRedactor(target.secrets)

  const write = async (said: readonly ConversationEvent[]): Promise<void> => {
    const events = [...preface, ...said]
    preface = []
    if (left === 0 || events.length === 0) return
    const at = target.clock.now().toISOString()
    const text = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join('')
    const sizeBytes = Buffer.byteLength(text)
    const isCut = sizeBytes > left
    left = isCut ? 0 : left - sizeBytes
    const cut = { at, ...ownWords(`cut here, the limit is ${target.maxBytes} bytes`) }
    await target.file.appendFile(isCut ? `${JSON.stringify(cut)}\n` : text)
  }
  const read = async (lines: readonly Line[]): Promise<void> => {
    const said: ConversationEvent[] = []
    for (const line of lines) {
      // One after another: what the end of a turn means depends on the facts of that moment.
      const { events, replies = [], isOver = false, taken: ids = [], ...end } = transcript.read(line)
      for (const reply of replies) await target.reply(reply)
      for (const taken of ids) said.push(...((await target.onTaken?.(taken)) ?? []))
      if (isOver) await target.onOver(end)
      said.push(...events)
    }
    if (opening !== undefined && said.some(({ kind }) => kind === 'session')) {
      said.unshift(...opening.events)
      await opening.onTaken()
      opening = undefined
    }
    await write(said.flatMap((event) => redactor.push(event)))
  }
  return {
    take: (chunk) => read(splitter.push(chunk)),
    async end() {
      await read(splitter.end())
      await write(redactor.end())
    },
    facts: transcript.facts,
  }
}

/**
 * Removes secrets from texts, which a transcript may put together from pieces. What could be the beginning of a secret
 * waits for the next piece. Thoughts and the last word of a run come whole; other events come from one line each, and the
 * line has lost its secrets already.
 */
function createTextRedactor(secrets: readonly string[]) {
  let open: StreamRedactor | undefined
  const redact = makeRedactor(secrets)
  const end = (): ConversationEvent[] => {
    // The text may go on behind the other event, with the rest of a secret.
    const text = open?.interrupt().toString('utf8') ?? ''
    open = undefined
    return text === '' ? [] : [{ kind: 'text', text, is_partial: true }]
  }
  return {
    end,
    push(event: ConversationEvent): ConversationEvent[] {
      // A person has written a message, and it has passed no filter; the others may be put together from pieces.
      if (event.kind === 'message' || event.kind === 'thinking')
        return [...end(), { ...event, text: redact(event.text) }]
      if (event.kind === 'result' && event.text !== undefined) return [...end(), { ...event, text: redact(event.text) }]
      if (event.kind !== 'text') return [...end(), event]
      open ??= createStreamRedactor(secrets)
      const said = open.push(Buffer.from(event.text)).toString('utf8')
      if (event.is_partial === true) return said === '' ? [] : [{ ...event, text: said }]
      const text = said + open.end().toString('utf8')
      open = undefined
      return [{ ...event, text }]
    },
  }
}
