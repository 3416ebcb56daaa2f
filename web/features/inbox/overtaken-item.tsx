import { useDeferredValue } from 'react'
import { useRecord } from '../../api/queries.ts'
import { useStaleDraft } from '../../api/task-drafts.ts'
import { useIsDeciding } from '../../api/use-decision.ts'
import { OvertakenNote } from '../../components/overtaken-note.tsx'
import { goneWords, overtakenWords } from '../../model/task-words.ts'
import css from './inbox.module.css'

/** What a person was writing in a row that has gone since; nothing once it is discarded, or can be sent after all. */
export function OvertakenItem({ taskId }: { readonly taskId: string }) {
  const { data: task } = useRecord('tasks', taskId)
  const draft = useStaleDraft(taskId, task)
  // Deferred: when a decision of this page has its answer, what it sent is forgotten a moment later.
  const isDeciding = useDeferredValue(useIsDeciding(taskId))
  if (draft === undefined || isDeciding) return null
  return (
    <div className={css['overtaken']}>
      <OvertakenNote
        words={task ? overtakenWords(task, draft.what) : goneWords(taskId, draft.what)}
        text={draft.text}
        onDiscard={draft.discard}
      />
    </div>
  )
}
