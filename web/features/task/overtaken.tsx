import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { useStaleDraft } from '../../api/task-drafts.ts'
import { OvertakenNote } from '../../components/overtaken-note.tsx'
import { canReview } from '../../model/review.ts'
import { overtakenWords } from '../../model/task-words.ts'
import css from './task.module.css'

interface OvertakenProps {
  readonly task: Task
  /** The decision is of this page. */
  readonly isDecidedHere: boolean
}

/** What was being written when somebody else decided. */
export function Overtaken({ task, isDecidedHere }: OvertakenProps) {
  const draft = useStaleDraft(task.id, task)
  const offers = canReview(task) || task.actions.includes('answer')
  const [hasOffered, setHasOffered] = useState(offers)
  if (offers && !hasOffered) setHasOffered(true)
  if (draft === undefined || !hasOffered || isDecidedHere) return null
  return (
    <section className={css['written']} aria-label="What you had written">
      <OvertakenNote words={overtakenWords(task, draft.what)} text={draft.text} onDiscard={draft.discard} />
    </section>
  )
}
