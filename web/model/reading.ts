/** A part of a view that is read by itself. */
export interface Reading<T> {
  /** Undefined until it has been read. */
  readonly data: T | undefined
  /** Why there is no `data`, or why it could not be read again. */
  readonly error: Error | undefined
  readonly retry: () => void
}
