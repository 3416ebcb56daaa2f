import { KEYS } from '../../model/keys.ts'
import css from './settings.module.css'

/** What the keyboard does. */
export function Keys() {
  return (
    <section className={css['group']}>
      <h2>Keys</h2>
      <dl className={css['facts']}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
