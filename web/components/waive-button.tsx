import { useState } from 'react'
import type { Task } from '../../core/rest/client/client.ts'
import { Button } from './button.tsx'
import css from './checks.module.css'
import { Dialog } from './dialog.tsx'
import area from './text-area.module.css'

interface WaiveButtonProps {
  readonly task: Task
  /** Whose name stands beside it; "" where nobody says who this is. */
  readonly by: string
  readonly isSmall?: boolean
  readonly isPending: boolean
  readonly onWaive: (decision: { readonly action: 'waive'; readonly reason: string }) => void
}

/** Has work delivered although checks are red; asks why, and says whose name will stand beside it. */
export function WaiveButton({ task, by, isSmall = false, isPending, onWaive }: WaiveButtonProps) {
  const [isOpen, setOpen] = useState(false)
  if (!task.actions.includes('waive')) return null
  return (
    <>
      <Button isSmall={isSmall} look="quiet" data-action="waive" isBusy={isPending} onClick={() => setOpen(true)}>
        Waive…
      </Button>
      {isOpen && (
        <WaiveForm
          by={by}
          onClose={() => setOpen(false)}
          onWaive={(reason) => {
            setOpen(false)
            onWaive({ action: 'waive', reason })
          }}
        />
      )}
    </>
  )
}

interface WaiveFormProps {
  readonly by: string
  readonly onClose: () => void
  readonly onWaive: (reason: string) => void
}

/** Why the checks do not count, which stands beside Accept from then on. */
function WaiveForm({ by, onClose, onWaive }: WaiveFormProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title="Deliver the work although checks are red?" onClose={onClose}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() !== '') onWaive(reason.trim())
        }}
      >
        <textarea
          className={area['text']}
          aria-label="Why the checks do not count"
          placeholder="Why do they not count?"
          maxLength={MAX_REASON}
          rows={3}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <p className={css['words']}>
          It is recorded for <b>{by === '' ? 'you' : by}</b>, and stands beside Accept. The work is pushed and waits for
          review; nothing is accepted by this.
        </p>
        <p>
          <Button type="submit" look="primary" disabled={reason.trim() === ''}>
            Waive the checks
          </Button>{' '}
          <Button look="quiet" onClick={onClose}>
            Not now
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

/** As long as the reason may be (Task.status.checksWaived). */
const MAX_REASON = 4096
