import { useMemo } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import type { AttemptsState } from '../../api/task-details.ts'
import { Timeline } from '../../components/timeline.tsx'
import { TASK_TIMELINE_KINDS, timelineOf } from '../../model/timeline.ts'
import css from './task.module.css'

/** What has happened, newest first, with who decided and why. */
export function TimelineTab({ task, state }: { readonly task: Task; readonly state: AttemptsState }) {
  const entries = useMemo(
    () =>
      timelineOf(
        task,
        state.attempts.map(({ execution }) => execution),
      ),
    [task, state.attempts],
  )
  return (
    <div className={css['wide']}>
      <Timeline entries={entries} kinds={TASK_TIMELINE_KINDS} />
    </div>
  )
}
