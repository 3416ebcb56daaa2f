import type { AttemptsState } from '../../api/task-details.ts'
import { Button } from '../../components/button.tsx'
import css from './task.module.css'

/** Says that the attempts could not be read as they are now; nothing while they could. */
export function AttemptsNote({ state: { error, retry } }: { readonly state: AttemptsState }) {
  if (error === undefined) return null
  return (
    <div className={css['stale']} role="alert">
      <p>The attempts could not be read: {error.message}</p>
      <Button isSmall onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
