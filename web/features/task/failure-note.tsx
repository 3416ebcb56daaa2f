import type { Task } from '../../../core/rest/client/client.ts'
import { categoryWords } from '../../model/task-state.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { capitalised } from '../../model/texts.ts'
import css from './task.module.css'

const FAILED: readonly Task['state'][] = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED']

/** Why a task failed, before all else: the kind of the failure, then the server's words, which say what to do. */
export function FailureNote({ task }: { readonly task: Task }) {
  const { state, error, error_category, delivery } = task
  const text = FAILED.includes(state) ? (error ?? 'The last attempt failed and said nothing.') : delivery?.message
  if (text === undefined || state === 'COMPLETED') return null
  const kind = FAILED.includes(state) ? categoryWords(error_category) : 'not delivered'
  return (
    <div className={css['failure']} role="note" aria-label="Why it failed">
      {kind !== undefined && <b>{capitalised(kind)}</b>}
      <p>{showUnseen(text)}</p>
    </div>
  )
}
