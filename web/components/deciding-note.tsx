import { Button } from './button.tsx'
import css from './deciding-note.module.css'

interface DecidingNoteProps {
  /** What is being done: `Accepting`. */
  readonly doing: string
  /** Undefined once it is sent. */
  readonly onUndo: (() => void) | undefined
}

/** In the place of a record's decisions while one of them is under way. */
export function DecidingNote({ doing, onUndo }: DecidingNoteProps) {
  return (
    <span className={css['note']}>
      {doing}…
      {onUndo !== undefined && (
        <Button isSmall onClick={onUndo}>
          Undo
        </Button>
      )}
    </span>
  )
}
