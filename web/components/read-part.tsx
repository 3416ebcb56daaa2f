import type { ReactNode } from 'react'
import type { Reading } from '../model/reading.ts'
import { ErrorState, Skeleton } from './view-states.tsx'

interface ReadPartProps<T> {
  /** With its article, and capital: `The timeline`. */
  readonly what: string
  readonly reading: Reading<T>
  readonly rows: number
  readonly children: (data: T) => ReactNode
}

/** A part with its own skeleton, and its own error with a way to try again: the rest of the view stays. */
export function ReadPart<T>({ what, reading: { data, error, retry }, rows, children }: ReadPartProps<T>) {
  if (data !== undefined) return children(data)
  if (error !== undefined) return <ErrorState title={`${what} could not be read`} error={error} onRetry={retry} />
  return <Skeleton rows={rows} label={`${what} is being read`} />
}

/** The same for what is read again while it is looked at: it stays under the reason why that failed. */
export function ReadAgainPart<T>(props: ReadPartProps<T>) {
  const { data, error, retry } = props.reading
  return (
    <>
      {data !== undefined && error !== undefined && (
        <ErrorState title={`${props.what} could not be read again, and may be old`} error={error} onRetry={retry} />
      )}
      <ReadPart {...props} />
    </>
  )
}
