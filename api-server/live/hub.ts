/**
 * Live messages for everybody who listens, in one order.
 *
 * A message is made and turned into bytes once, whoever gets it. Nothing is queued per client: each reads the one
 * history at a pace of its own, so that what slow clients cost does not grow with their number. Who falls behind
 * what is kept, or names an id that is not known (any more), is told so by `resync` and goes on from the newest: every
 * reader gets every message in order, or knows that it did not.
 */
import { asRecord, parseObject } from '../../core/json.ts'
import { type LiveMessage, type LiveMessageType, LIVE_MESSAGE_TYPES } from '../../core/rest/messages.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Clock } from '../../lib/clock.ts'
import { createFanOut } from './fan-out.ts'

/** A message as it is sent: shared by all who get it, never to be changed. */
export interface LiveText {
  readonly type: LiveMessageType
  readonly bytes: Buffer
  /** The same for those who may not decide: their records offer no actions. */
  forReaders(): Buffer
}

/** Ids of the records that a message is about, as far as they apply. */
export type LiveIds = Pick<
  LiveMessage,
  'task_id' | 'execution_id' | 'story_id' | 'epic_id' | 'project_id' | 'agent' | 'by'
>

/** One reader's place in the stream. */
export interface Subscription {
  /** The next message, `resync` in place of those that are lost; undefined: nothing new. */
  next(): LiveText | undefined
  end(): void
}

export interface Hub {
  /** Makes a message for everybody. @param json the whole REST record, for a type that carries one */
  publish(type: LiveMessageType, ids: LiveIds, json?: string | Buffer): void
  /** Calls `onMessages` soon after there is something to read. @param since id of the last message that the reader has */
  subscribe(onMessages: () => void, since?: string): Subscription
}

export interface HubOptions {
  readonly clock: Clock
  /** Tells this run of the server from others; letters and digits only. */
  readonly epoch: string
  readonly limits?: HistoryLimits
}

/** Some minutes of a busy server; a task's message has one to two kilobytes. */
const KEPT: HistoryLimits = { items: 4096, bytes: 4 * 1024 * 1024 }

export function createHub({ clock, epoch, limits = KEPT }: HubOptions): Hub {
  const history = createHistory<LiveText>(limits, epoch)
  const fanOut = createFanOut()

  const make = (type: LiveMessageType, number: number, ids: LiveIds, json?: string | Buffer): LiveText => {
    const head = JSON.stringify({ id: history.idOf(number), type, at: toTimestamp(clock.now()), ...ids })
    const name = LIVE_MESSAGE_TYPES[type]
    const isWhole = name === undefined || json === undefined
    const bytes = toOwnBytes(isWhole ? head : `${head.slice(0, -1)},"${name}":${String(json)}}`)
    return { type, bytes, forReaders: once(() => toOwnBytes(withoutActions(bytes.toString(), name))) }
  }
  return {
    publish(type, ids, json) {
      history.push(make(type, history.head() + 1, ids, json))
      fanOut.notify()
    },
    subscribe(onMessages, since) {
      /** Number of the last message read; undefined: it is lost. */
      let position = since === undefined ? history.head() : history.numberOf(since)
      return {
        next() {
          if (position === undefined || !history.isKeptFrom(position)) {
            position = history.head()
            // Its id stands for everything before: who names it goes on with the next message.
            return make('resync', position, {})
          }
          const message = history.at(position + 1)
          if (message !== undefined) position += 1
          return message
        },
        end: fanOut.join(onMessages),
      }
    },
  }
}

/** Bytes in memory of their own: small buffers otherwise share pages, and one that is kept keeps its neighbours. */
function toOwnBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= make())
}

/** Made anew only where somebody reads it: most servers have no readers that may not decide. */
function withoutActions(text: string, name: string | undefined): string {
  if (name === undefined) return text
  const message = parseObject(text)
  const record = asRecord(message[name])
  const empty = ['actions', 'moves'].filter((field) => Array.isArray(record[field])).map((field) => [field, []])
  return JSON.stringify({ ...message, [name]: { ...record, ...Object.fromEntries(empty) } })
}

/** The last items, numbered from 1, so that a client that lags or was cut off can have what it missed. */
interface History<T> {
  /** Keeps `item`, and forgets the oldest beyond the limits; the newest is always kept. */
  push(item: T): void
  /** Number of the newest item; 0 before the first. */
  head(): number
  /** The item with that number; undefined when it is forgotten, or not there yet. */
  at(number: number): T | undefined
  /** Whether everything behind that number is still kept, so that nothing is missed by going on from there. */
  isKeptFrom(number: number): boolean
  /** What a client names to go on behind that number. */
  idOf(number: number): string
  /** The number in an id; undefined for one of another run of the server, and for what is no id. */
  numberOf(id: string): number | undefined
}

/** How much to keep, by whichever is reached first. */
interface HistoryLimits {
  readonly items: number
  readonly bytes: number
}

/** @param epoch tells the ids of this run of the server from those of others; letters and digits */
function createHistory<T extends { readonly bytes: Uint8Array }>(limits: HistoryLimits, epoch: string): History<T> {
  const items: T[] = []
  let head = 0
  let sizeBytes = 0
  const oldest = (): number => head - items.length + 1
  return {
    push(item) {
      items.push(item)
      head += 1
      sizeBytes += item.bytes.length
      while (items.length > 1 && (items.length > limits.items || sizeBytes > limits.bytes))
        sizeBytes -= items.shift()?.bytes.length ?? 0
    },
    head: () => head,
    at: (number) => items[number - oldest()],
    isKeptFrom: (number) => number >= oldest() - 1 && number <= head,
    idOf: (number) => `${epoch}-${number}`,
    numberOf(id) {
      const [, of, number] = /^([^-]+)-(\d{1,15})$/.exec(id) ?? []
      return of === epoch ? Number(number) : undefined
    },
  }
}
