import { formatCount } from '../../core/sentences/amounts.ts'
import css from './changes.module.css'

interface ChangesProps {
  readonly insertions: number
  readonly deletions: number
}

/** How many lines were added and removed, as far as any were; nothing where none were. */
export function Changes({ insertions, deletions }: ChangesProps) {
  if (insertions + deletions === 0) return null
  return (
    <span className={css['changes']}>
      {insertions > 0 && <span className={css['plus']}>+{formatCount(insertions)}</span>}
      {insertions > 0 && deletions > 0 && ' '}
      {deletions > 0 && <span className={css['minus']}>−{formatCount(deletions)}</span>}
    </span>
  )
}
