/** The conversation of an execution, replayed and then followed (docs/conversation.md). */
import { useEffect, useMemo, useState } from 'react'
import { type PlacedLine, type Transcript, joinLines, transcriptOf } from '../model/transcript.ts'
import type { ToldRecord } from '../../core/rest/messages.ts'
import { reconnectDelay } from '../../core/reconnect.ts'

export interface ConversationState {
  readonly transcript: Transcript
  /** All of it is here, and no more will come. */
  readonly isWhole: boolean
  /** The connection is lost; the page connects again by itself, and nothing is missed. */
  readonly isAway: boolean
  /** It is longer than the page keeps: what is here is its beginning, and no more will come. */
  readonly isCut: boolean
}

interface Received {
  readonly lines: readonly PlacedLine[]
  readonly isWhole: boolean
  readonly isAway: boolean
  readonly isCut: boolean
}

/** Kept of a conversation, in characters and in events: its file may have a gigabyte, which no page can hold. */
const MAX_CHARACTERS = 20 * 1024 * 1024
const MAX_EVENTS = 50_000

/** How long events are gathered: a replay has thousands, and each rendering reads them all. In milliseconds. */
const BATCH_MS = 80
const NOTHING: Received = { lines: [], isWhole: false, isAway: false, isCut: false }

/** For one execution: who shows another one gives it a key of its own, so that nothing of the first is left. */
export function useConversation({ id, messages, checks }: ToldRecord & { readonly id: string }): ConversationState {
  const [received, setReceived] = useState(NOTHING)
  useEffect(() => followConversation(id, setReceived), [id])
  const transcript = useMemo(
    () => transcriptOf(received.lines, { messages, checks }),
    [received.lines, messages, checks],
  )
  const { isWhole, isAway, isCut } = received
  return { transcript, isWhole, isAway, isCut }
}

/** @param change is given how what is known changes @returns what ends it */
function followConversation(id: string, change: (next: (known: Received) => Received) => void): () => void {
  let batch: PlacedLine[] = []
  let flushing: ReturnType<typeof setTimeout> | undefined
  const flush = (end?: Partial<Received>): void => {
    clearTimeout(flushing)
    flushing = undefined
    const added = batch
    batch = []
    change((known) => ({ ...known, isAway: false, ...end, lines: joinLines(known.lines, added) }))
  }
  const stop = openAgain(`/api/executions/${encodeURIComponent(id)}/events/stream`, (source) => {
    let [characters, events] = [0, 0]
    source.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
      // `<execution>:<offset>`; the server sends only what is an event of a conversation.
      batch.push({ position: Number(lastEventId.split(':').at(-1)), line: JSON.parse(data) })
      characters += data.length
      events += 1
      if (characters < MAX_CHARACTERS && events < MAX_EVENTS) flushing ??= setTimeout(() => flush(), BATCH_MS)
      else {
        source.close()
        flush({ isCut: true })
      }
    })
    source.addEventListener('end', () => {
      source.close()
      flush({ isWhole: true })
    })
    source.addEventListener('error', () => change((known) => ({ ...known, isAway: true })))
    source.addEventListener('open', () => change((known) => (known.isAway ? { ...known, isAway: false } : known)))
  })
  return () => {
    clearTimeout(flushing)
    stop()
  }
}

/**
 * Keeps an event source open. A browser connects again by itself after a lost connection, but never after an answer that
 * is no stream, such as that of a server which is starting. @param listen is given each source @returns what ends it
 */
function openAgain(url: string, listen: (source: EventSource) => void): () => void {
  let failures = 0
  let retrying: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (): void => {
    source = new EventSource(url)
    listen(source)
    source.addEventListener('open', () => (failures = 0))
    source.addEventListener('error', ({ target }) => {
      if (!(target instanceof EventSource) || target.readyState !== EventSource.CLOSED) return
      failures += 1
      retrying = setTimeout(open, reconnectDelay(failures, Math.random()))
    })
  }
  open()
  return () => {
    clearTimeout(retrying)
    source.close()
  }
}
