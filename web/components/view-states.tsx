import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './view-states.module.css'

interface NoteProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** There is nothing to show; says why and what to do. */
export function EmptyState({ title, children, action }: NoteProps) {
  return (
    <div className={css['note']}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Something could not be read; shows the server's own words. */
export function ErrorState({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  return (
    <div className={css['note']} role="alert">
      <h2>{title}</h2>
      <p>{error.message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** The caller may not see this. @param scope what their token lacks */
export function NoPermission({ scope, name }: { readonly scope: string; readonly name: string }) {
  return (
    <EmptyState title="Your token does not allow this">
      You are signed in as {name}. This view needs the scope <code>{scope}</code>: ask whoever runs this server for a
      token with it, and sign in again.
    </EmptyState>
  )
}

/** Grey bars where rows will stand, so that nothing moves when they come. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div className={css['skeleton']} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  )
}
