import type { Execution } from '../../core/rest/client/client.ts'
import { showUnseen } from '../model/hostile-text.ts'
import css from './undelivered-note.module.css'

/** What a run made that is not on its branch; nothing where all of it is. */
export function UndeliveredNote({ execution }: { readonly execution: Execution | undefined }) {
  const { undelivered = [], undelivered_count: count = undelivered.length } = execution ?? {}
  if (count === 0) return null
  return (
    <div className={css['note']} role="note" aria-label="Not delivered">
      <p>
        <b>Not delivered.</b> This is not on the branch and is kept in the clone until the task is completed:
      </p>
      <ul>
        {undelivered.map(({ path, reason }) => (
          <li key={path}>
            <code>{showUnseen(path)}</code>: {showUnseen(reason)}
          </li>
        ))}
        {count > undelivered.length && <li>and {count - undelivered.length} more</li>}
      </ul>
    </div>
  )
}
