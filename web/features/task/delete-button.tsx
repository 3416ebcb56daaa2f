import { Trash2 } from 'lucide-react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ICON } from '../../components/icons.tsx'

/** Deletes the task with its attempts; asks once. */
export function DeleteButton({ isBusy, onDelete }: { readonly isBusy: boolean; readonly onDelete: () => void }) {
  return (
    <ConfirmButton
      look="quiet"
      isBusy={isBusy}
      question="Delete the task and all its attempts?"
      confirm="Delete"
      onConfirm={onDelete}
    >
      <Trash2 size={ICON} aria-hidden />
      <span className="unseen">Delete…</span>
    </ConfirmButton>
  )
}
