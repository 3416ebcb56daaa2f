import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { EmptyState, ErrorState } from '../components/view-states.tsx'
import { ViewHeader } from '../components/view-header.tsx'

export function NotFound() {
  return (
    <>
      <ViewHeader title="Not found" />
      <EmptyState title="There is nothing at this address" action={<Link to="/">To the inbox</Link>} />
    </>
  )
}

/** A view that could not be loaded or drawn; the rest of the page goes on. */
export function ViewFailed({ error, reset }: ErrorComponentProps) {
  return (
    <ErrorState
      title="This view has failed"
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={reset}
    />
  )
}
