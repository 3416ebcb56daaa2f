import type { Stats } from '../../../core/rest/client/client.ts'
import type { ErrorGroup } from '../../../core/stats/groups.ts'
import { errorClasses, GROUP_WORDS } from './model.ts'
import css from './stats.module.css'

interface ErrorClassesProps {
  readonly stats: Stats
  readonly chosen: ErrorGroup | undefined
  readonly onChoose: (group: ErrorGroup) => void
}

/** How many runs failed or went over their budget, by class of error; a click shows its failures below. */
export function ErrorClasses({ stats, chosen, onChoose }: ErrorClassesProps) {
  const classes = errorClasses(stats)
  const most = Math.max(1, ...classes.map(({ count }) => count))
  return (
    <section className={css['box']} aria-labelledby="stats-errors">
      <div className={css['head']}>
        <h2 id="stats-errors">Error classes</h2>
      </div>
      <ul className={css['classes']}>
        {classes.map(({ group, count }) => (
          <li key={group}>
            <button aria-pressed={group === chosen} disabled={count === 0} onClick={() => onChoose(group)}>
              <span>{GROUP_WORDS[group]}</span>
              <i aria-hidden>
                <b style={{ width: `${(count / most) * 100}%` }} />
              </i>
              <span>{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
