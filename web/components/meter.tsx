import css from './meter.module.css'

/** How much of a whole is done, as a bar. */
export function Meter({
  done,
  total,
  label,
}: {
  readonly done: number
  readonly total: number
  readonly label: string
}) {
  return (
    <span
      className={css['meter']}
      role="meter"
      aria-label={label}
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      <i style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
    </span>
  )
}
