import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { useRecord } from '../../api/queries.ts'
import { useAttempts } from '../../api/task-details.ts'
import { RejectForm } from '../../components/reject-form.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { usePanel } from '../../components/use-panel.ts'
import { toRejection } from '../../model/review.ts'
import { Actions } from './actions.tsx'
import { FailureNote } from './failure-note.tsx'
import { firstTab } from './search.ts'
import css from './task.module.css'
import { TaskHeader } from './task-header.tsx'
import { taskTabs } from './task-tabs.tsx'
import type { TaskViewProps } from './shown.ts'
import { useDecisionKeys } from './use-decision-keys.ts'
import { useOfferedAction } from './use-offered-action.ts'
import { useRejectForm } from './use-reject-form.ts'
import { useShownWork } from './use-shown-work.ts'
import { useTaskDecisions } from './use-task-decisions.ts'

interface TaskBodyProps extends Omit<TaskViewProps, 'taskId'> {
  readonly task: Task
}

/** Room for a diff with the evidence beside it. In pixels. */
const WIDE = 1_280

/** What is known of a task, with what can be decided about it always in sight. */
export function TaskBody({ task, tab, onTab, action, isPanel = false }: TaskBodyProps) {
  const frame = useRef<HTMLDivElement>(null)
  const attempts = useAttempts(task)
  const { data: project } = useRecord('projects', task.project ?? '')
  const navigate = useNavigate()
  const { close } = usePanel()
  const decisions = useTaskDecisions(task, () => (isPanel ? close() : void navigate({ to: '/tasks' })))
  const { review, decide, isPending } = decisions
  const rejection = useRejectForm(task, action === 'reject', review.isBegun)
  const [isWide] = useState(() => !isPanel && window.innerWidth >= WIDE)
  // What a task opens at stays while a person looks at it, though its state changes.
  const [opened] = useState(() => firstTab(task, isWide))
  useOfferedAction(frame, action)
  useDecisionKeys(frame)
  const openTab = tab ?? opened
  const work = useShownWork(task, attempts, openTab === 'diff')
  const shown = { task, project: project ?? undefined, attempts, decisions, work, onTab, isWide }
  return (
    <div className={css['task']} ref={frame} data-panel-body={isPanel || undefined}>
      <TaskHeader task={task} project={project ?? undefined} isPanel={isPanel} />
      <FailureNote task={task} />
      <div className={css['decide']}>
        {rejection.isOpen && (
          <section className={css['reject']} aria-label="Rejection">
            <RejectForm
              general={review.general}
              comments={review.comments}
              isPending={isPending}
              takesFocus={rejection.isAsked}
              onGeneral={review.setGeneral}
              onComments={review.setComments}
              onReject={() => decide({ action: 'reject', comment: toRejection(review.comments, review.general) })}
              onCancel={rejection.close}
            />
          </section>
        )}
        <Actions task={task} decisions={decisions} work={work} rejection={rejection} />
      </div>
      <div className={css['tabs']}>
        <Tabs label="About the task" tabs={taskTabs(shown)} value={openTab} onChange={onTab} isFilling />
      </div>
    </div>
  )
}
