import { describeUndelivered } from '../../core/execution/undelivered.ts'
import type { Execution } from '../../core/rest/client/client.ts'
import { showUnseen } from '../model/hostile-text.ts'
import css from './undelivered-note.module.css'

/** What a run made that is not on its branch; nothing where all of it is. */
export function UndeliveredNote({ execution }: { readonly execution: Execution | undefined }) {
  const { undelivered, undelivered_count: undeliveredCount } = execution ?? {}
  const words = describeUndelivered({ undelivered, undeliveredCount })
  if (words === undefined) return null
  return (
    <div className={css['note']} role="note" aria-label="Not delivered">
      <p>
        <b>This work is {words.title}:</b>
      </p>
      <ul>
        {words.lines.map((line) => (
          <li key={line}>{showUnseen(line)}</li>
        ))}
      </ul>
    </div>
  )
}
