/** The conversation of an execution, replayed and then followed (docs/conversation.md). */
import { useEffect, useMemo, useState } from 'react'
import type { PlacedLine, Transcript } from '../model/transcript.ts'
import { joinLines, transcriptOf } from '../model/transcript.ts'

export interface ConversationState {
  readonly transcript: Transcript
  /** All of it is here, and no more will come. */
  readonly isWhole: boolean
  /** The connection is lost; the browser connects again by itself, and nothing is missed. */
  readonly isAway: boolean
}

interface Received {
  readonly lines: readonly PlacedLine[]
  readonly isWhole: boolean
  readonly isAway: boolean
}

/** How long events are gathered: a replay has thousands, and each rendering reads them all. In milliseconds. */
const BATCH_MS = 80
const NOTHING: Received = { lines: [], isWhole: false, isAway: false }

/** For one execution: who shows another one gives it a key of its own, so that nothing of the first is left. */
export function useConversation(id: string): ConversationState {
  const [received, setReceived] = useState(NOTHING)
  useEffect(() => followConversation(id, setReceived), [id])
  const transcript = useMemo(() => transcriptOf(received.lines), [received.lines])
  return { transcript, isWhole: received.isWhole, isAway: received.isAway }
}

/** @param change is given how what is known changes @returns what ends it */
function followConversation(id: string, change: (next: (known: Received) => Received) => void): () => void {
  const source = new EventSource(`/api/executions/${encodeURIComponent(id)}/events/stream`)
  let batch: PlacedLine[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (isWhole: boolean): void => {
    clearTimeout(timer)
    timer = undefined
    const added = batch
    batch = []
    change(({ lines }) => ({ lines: joinLines(lines, added), isWhole, isAway: false }))
  }
  source.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
    // `<execution>:<offset>`; the server sends only what is an event of a conversation.
    batch.push({ position: Number(lastEventId.split(':').at(-1)), line: JSON.parse(data) })
    timer ??= setTimeout(() => flush(false), BATCH_MS)
  })
  source.addEventListener('end', () => {
    source.close()
    flush(true)
  })
  source.addEventListener('error', () => change((known) => ({ ...known, isAway: true })))
  source.addEventListener('open', () => change((known) => (known.isAway ? { ...known, isAway: false } : known)))
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
