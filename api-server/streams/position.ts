/** How far a client has seen the files of one execution: an offset for each, in the order of the stream's files. */
export interface Position {
  readonly execution: string
  readonly offsets: readonly number[]
}

/** A position as the `id` of a server-sent event. */
export function formatPosition({ execution, offsets }: Position): string {
  return [execution, ...offsets].join(':')
}

/** The position in `Last-Event-ID`; undefined for none, and for an id that is not one of a stream of `files` files. */
export function parsePosition(id: string | undefined, files: number): Position | undefined {
  const [, execution, offsets = ''] = /^([a-z0-9-]+)((?::\d{1,15})+)$/.exec(id ?? '') ?? []
  const numbers = offsets.split(':').slice(1).map(Number)
  return execution === undefined || numbers.length !== files ? undefined : { execution, offsets: numbers }
}
