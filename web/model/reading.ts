/** A part of a view that is read by itself. */
export interface Reading<T> {
  /** Undefined until it has been read. */
  readonly data: T | undefined
  /** Why there is no `data`, or why it could not be read again. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The part of a query that is shown. */
export interface ReadQuery<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** What a query has read; it counts as failed only while there is nothing to show. */
export function toReading<T>({ data, error, refetch }: ReadQuery<T>): Reading<T> {
  return { data, error: data === undefined ? (error ?? undefined) : undefined, retry: () => void refetch() }
}
