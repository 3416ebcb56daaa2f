import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import css from './dialog.module.css'

interface LeaveDialogProps {
  readonly title: string
  readonly text: string
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Asks before something unsaved is lost; Escape stays. */
export function LeaveDialog({ title, text, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog title={title} warning={text} onClose={onStay}>
      <p className={css['actions']}>
        {/* The first one has the focus: Enter loses nothing. */}
        <Button onClick={onStay}>Stay</Button>
        <Button look="danger" onClick={onLeave}>
          Leave
        </Button>
      </p>
    </Dialog>
  )
}
