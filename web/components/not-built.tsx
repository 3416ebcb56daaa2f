import { Link } from '@tanstack/react-router'
import { ViewHeader } from './view-header.tsx'
import { EmptyState } from './view-states.tsx'

/** In place of a view that is still to come. */
export function NotBuilt() {
  return (
    <>
      <ViewHeader title="Not here yet" />
      <EmptyState title="This view is still to be built" action={<Link to="/">To the inbox</Link>}>
        Everything that it will show is in the command line (<code>slipway --help</code>) and in the API, whose pages
        are at <a href="/api/docs">/api/docs</a>.
      </EmptyState>
    </>
  )
}
