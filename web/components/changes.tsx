import css from './changes.module.css'

interface ChangesProps {
  readonly insertions: number
  readonly deletions: number
}

/** How many lines were added and removed; nothing where none were. */
export function Changes({ insertions, deletions }: ChangesProps) {
  if (insertions + deletions === 0) return null
  return (
    <span className={css['changes']}>
      <span className={css['plus']}>+{insertions}</span> <span className={css['minus']}>−{deletions}</span>
    </span>
  )
}
