/**
 * The one WebSocket of this page: receives messages, hands them on in batches, and connects again when it is cut off.
 *
 * It knows nothing of the query cache or of React, and no clock, so its tests move time themselves. Messages of some
 * milliseconds go out as one batch: a busy server sends hundreds a second, and each batch is one rendering.
 */
import type { LiveMessage } from '../../core/rest/messages.ts'
import { reconnectDelay } from '../../core/reconnect.ts'

/** As much of a WebSocket as is used here. */
export interface LiveSocket {
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: (() => void) | null
  close(): void
}

export interface LiveState {
  /** `starting` until the first connection; `away` while the server cannot be reached. */
  readonly phase: 'starting' | 'live' | 'away'
  /** Attempts that have failed since the last connection. */
  readonly failures: number
}

export interface LiveOptions {
  /** @param since id of the last message that this page has, to go on behind it */
  readonly connect: (since: string | undefined) => LiveSocket
  /** Runs `what` later; the returned function takes it back. */
  readonly schedule: (delayMs: number, what: () => void) => () => void
  readonly random: () => number
  readonly onMessages: (messages: readonly LiveMessage[]) => void
  readonly onState: (state: LiveState) => void
}

export interface Live {
  /** Tries at once in place of waiting on, as when the browser says that it is online again. */
  retryNow(): void
  stop(): void
}

/** How long messages are gathered: about one frame. */
const BATCH_MS = 16
/** A proxy may hold a connection that it never answers, for which browsers wait minutes; lists wait for the first one. */
const OPENING_MS = 20_000

export function startLive({ connect, schedule, random, onMessages, onState }: LiveOptions): Live {
  let socket: LiveSocket | undefined
  let since: string | undefined
  let batch: LiveMessage[] = []
  let failures = 0
  let cancelFlush: (() => void) | undefined
  let cancelRetry: (() => void) | undefined

  const flush = (): void => {
    cancelFlush = undefined
    const messages = batch
    batch = []
    if (messages.length > 0) onMessages(messages)
  }
  const receive = (message: LiveMessage): void => {
    since = message.id
    batch.push(message)
    cancelFlush ??= schedule(BATCH_MS, flush)
  }
  const open = (): void => {
    cancelRetry = undefined
    const opened = connect(since)
    socket = opened
    const cancelOpening = schedule(OPENING_MS, () => opened.close())
    opened.onopen = () => {
      cancelOpening()
      failures = 0
      onState({ phase: 'live', failures })
    }
    opened.onmessage = ({ data }) => {
      if (typeof data === 'string') receive(JSON.parse(data))
    }
    opened.onclose = () => {
      cancelOpening()
      if (socket !== opened) return
      socket = undefined
      failures += 1
      onState({ phase: 'away', failures })
      cancelRetry = schedule(reconnectDelay(failures, random()), open)
    }
  }
  open()
  return {
    retryNow() {
      if (cancelRetry === undefined) return
      cancelRetry()
      open()
    },
    stop() {
      cancelRetry?.()
      cancelFlush?.()
      const current = socket
      socket = undefined
      current?.close()
    },
  }
}
