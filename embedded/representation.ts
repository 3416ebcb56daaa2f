import { type Kind, apiVersionOf } from './kind.ts'
import type { WatchEvent } from './watch.ts'

/** How objects look in a reply: as they are, as rows of a table, as metadata only. All texts are JSON. */
export interface Representation {
  readonly object: (json: string) => string
  /** A list is `head`, items joined by commas, `tail`. */
  readonly listHead: string
  readonly item: (json: string) => string
  readonly listTail: (metadata: ListMetadata) => string
  /** What a watch event carries; the first one of a watch may say more than the others. */
  readonly eventObject: (json: string, isFirst: boolean) => string
}

export interface ListMetadata {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Objects as they are stored; nothing is parsed. */
export function asObjects(kind: Kind): Representation {
  const same = (json: string): string => json
  return {
    object: same,
    listHead: `{"kind":${JSON.stringify(kind.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(kind))},"items":[`,
    item: same,
    listTail: (metadata) => `],"metadata":${JSON.stringify({ continue: '', ...metadata })}}`,
    eventObject: same,
  }
}

/** One line of a watch. */
export function eventLine({ type, json }: WatchEvent, { eventObject }: Representation, isFirst: boolean): string {
  return `{"type":"${type}","object":${eventObject(json, isFirst)}}\n`
}
