import { useWaitingCount } from '../api/attentions.ts'
import css from './shell.module.css'

/** How many things wait for a person, beside the name of the inbox. */
export function WaitingCount() {
  const waiting = useWaitingCount()
  return waiting === 0 ? null : <span className={css['number']}>{waiting}</span>
}
