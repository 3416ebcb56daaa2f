import type { Task } from '../../../core/rest/client/client.ts'
import { useRecord } from '../../api/queries.ts'
import { useStaleDraft } from '../../api/task-drafts.ts'
import { OvertakenNote } from '../../components/overtaken-note.tsx'
import { overtakenWords } from '../../model/task-words.ts'
import css from './inbox.module.css'

/** What a person was writing in a row that has gone since; nothing once it is discarded, or can be sent after all. */
export function OvertakenItem({ taskId }: { readonly taskId: string }) {
  const { data: task } = useRecord('tasks', taskId)
  return task ? <Overtaken task={task} /> : null
}

function Overtaken({ task }: { readonly task: Task }) {
  const draft = useStaleDraft(task)
  if (draft === undefined) return null
  return (
    <div className={css['overtaken']}>
      <OvertakenNote words={overtakenWords(task, draft.what)} text={draft.text} onDiscard={draft.discard} />
    </div>
  )
}
