import { useMemo } from 'react'
import { countOf } from '../../../core/sentences/amounts.ts'
import { useRecords } from '../../api/queries.ts'
import { heldWork } from '../../model/held-work.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { capitalised } from '../../model/texts.ts'
import css from './inbox.module.css'

/** What waits behind the reviews: one line for each project and agent that starts nothing new until a person decides. */
export function HeldNotes() {
  const tasks = useRecords('tasks').data
  const agents = useRecords('agents').data
  const held = useMemo(() => heldWork(tasks ?? [], agents ?? []), [tasks, agents])
  return held.map(({ kind, name, words, tasks: count, idleSlots }) => (
    <p key={`${kind} ${name}`} className={css['held']} role="note">
      {capitalised(showUnseen(words))}. {countOf(count, 'task waits', 'tasks wait')} behind
      {idleSlots > 0 && `, ${countOf(idleSlots, 'slot is', 'slots are')} idle`}.
    </p>
  ))
}
