import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import css from './move-dialog.module.css'

interface MoveDialogProps {
  readonly id: string
  readonly name: string
  readonly onStep: (step: -1 | 1) => void
  readonly onEnd: (end: 'top' | 'bottom') => void
  readonly onClose: () => void
}

/** Moves a card within its cell by buttons, for hands that cannot drag; one step may follow another. */
export function MoveDialog({ id, name, onStep, onEnd, onClose }: MoveDialogProps) {
  const end = (where: 'top' | 'bottom') => () => {
    onEnd(where)
    onClose()
  }
  return (
    <Dialog title={`Move “${name}”`} onClose={onClose}>
      <div className={css['ways']}>
        <Button onClick={end('top')}>To the top</Button>
        <Button onClick={() => onStep(-1)}>One place up</Button>
        <Button onClick={() => onStep(1)}>One place down</Button>
        <Button onClick={end('bottom')}>To the bottom</Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
      <p className={css['note']}>
        A card stays in its column and its lane: they are its status and its epic, which change on the story’s page.
      </p>
      <p className={css['note']}>
        Id: <code>{id}</code> <CopyButton text={id} label="Copy the id" isIconOnly />
      </p>
    </Dialog>
  )
}
