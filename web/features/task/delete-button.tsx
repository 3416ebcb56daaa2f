import { Trash2 } from 'lucide-react'
import { STILL_TO_BE_DELIVERED } from '../../../core/sentences/accept.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ICON } from '../../components/icons.tsx'

interface DeleteButtonProps {
  /** Its accepted work is on its way to where the project wants it. */
  readonly isDelivering: boolean
  readonly isBusy: boolean
  readonly onDelete: () => void
}

/** Deletes the task with its attempts; asks once. */
export function DeleteButton({ isDelivering, isBusy, onDelete }: DeleteButtonProps) {
  const more = isDelivering ? ` ${STILL_TO_BE_DELIVERED}` : ''
  return (
    <ConfirmButton
      look="quiet"
      isBusy={isBusy}
      question={`Delete the task and all its attempts?${more}`}
      confirm="Delete"
      onConfirm={onDelete}
    >
      <Trash2 size={ICON} aria-hidden />
      <span className="unseen">Delete…</span>
    </ConfirmButton>
  )
}
