import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useRef, useState, useMemo, useEffect } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../../core/task/transitions.ts'
import { useWorkspace } from '../../api/kubernetes.ts'
import { useIsScript, useRecord } from '../../api/queries.ts'
import { useCanRunAgain } from '../../api/stories.ts'
import { type AttemptsState, useAttempts } from '../../api/task-details.ts'
import { FailedRun } from '../../components/failed-run.tsx'
import { ReviewForm } from '../../components/review-form.tsx'
import { type Tab, Tabs } from '../../components/tabs.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { usePanel } from '../../components/use-panel.ts'
import { hasFailed } from '../../model/failed-run.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { takesReview } from '../../model/review.ts'
import { TASK_TIMELINE_KINDS, timelineOf } from '../../model/timeline.ts'
import { Actions } from './actions.tsx'
import { AttemptsTab } from './attempts-tab.tsx'
import { DiffTab } from './diff-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { Overtaken } from './overtaken.tsx'
import { RelatedTab } from './related-tab.tsx'
import { ResourceTab } from './resource-tab.tsx'
import { type TaskTab, firstTab } from './search.ts'
import { type TaskViewProps, type TaskShown, findLastRun } from './shown.ts'
import { TaskHeader } from './task-header.tsx'
import css from './task.module.css'
import { useDecisionKeys } from './use-decision-keys.ts'
import { useReviewForm } from './use-review-form.ts'
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
  const [canRun, isScript] = [useCanRunAgain(task), useIsScript(task)]
  const navigate = useNavigate()
  const { close } = usePanel()
  const decisions = useTaskDecisions(task, () => (isPanel ? close() : void navigate({ to: '/tasks' })))
  const { review, decide, isPending } = decisions
  const form = useReviewForm(task, action !== undefined && takesReview(action), review.isBegun)
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
      <FailureNote task={task} attempts={attempts} />
      <div className={css['decide']}>
        <Overtaken task={task} isDecidedHere={isPending || decisions.isDecided} />
        {form.isOpen && decisions.held === undefined && (
          <section className={css['written']} aria-label="Review">
            <ReviewForm
              task={task}
              general={review.general}
              comments={review.comments}
              isPending={isPending}
              takesFocus={form.isAsked}
              onGeneral={review.setGeneral}
              onComments={review.setComments}
              canRun={canRun}
              isScript={isScript}
              onDecide={decide}
              onCancel={form.close}
            />
          </section>
        )}
        <Actions task={task} decisions={decisions} work={work} canRun={canRun} form={form} isPanel={isPanel} />
      </div>
      <div className={css['tabs']}>
        <Tabs label="About the task" tabs={taskTabs(shown)} value={openTab} onChange={onTab} fill="scrolling" />
      </div>
    </div>
  )
}

function taskTabs(shown: TaskShown): readonly Tab<TaskTab>[] {
  const { task, attempts } = shown
  return [
    { id: 'overview', label: 'Overview', content: <OverviewTab {...shown} /> },
    { id: 'diff', label: 'Diff', count: task.changes?.files, content: <DiffTab {...shown} /> },
    {
      id: 'attempts',
      label: 'Attempts',
      count: attempts.isPending ? task.attempts : attempts.attempts.length,
      content: <AttemptsTab {...shown} />,
    },
    { id: 'timeline', label: 'Timeline', content: <TimelineTab task={task} state={attempts} /> },
    { id: 'related', label: 'Tasks', count: task.depends_on.length, content: <RelatedTab task={task} /> },
    { id: 'resource', label: 'YAML', content: <ResourceTab task={task} /> },
  ]
}

/** What has happened, newest first, with who decided and why. */
function TimelineTab({ task, state }: { readonly task: Task; readonly state: AttemptsState }) {
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

/** Why the task's last run failed, or why accepted work is not delivered, before all else. */
function FailureNote({ task, attempts }: Pick<TaskShown, 'task' | 'attempts'>) {
  const execution = findLastRun({ task, attempts })
  const failed = hasFailed(task)
  const workspace = useWorkspace(failed ? execution : undefined)
  if (failed)
    return (
      <div className={css['failure']}>
        <FailedRun
          of={task}
          execution={execution}
          isPending={execution === undefined && (attempts.isPending || attempts.error !== undefined)}
          agent={task.agent?.type}
          workspace={workspace}
        />
      </div>
    )
  const text = task.delivery?.message
  if (text === undefined || task.state === 'COMPLETED') return null
  return (
    <div className={`${css['failure']} ${css['undelivered']}`} role="note" aria-label="Why it is not delivered">
      <b>Not delivered</b>
      <p>{showUnseen(text)}</p>
    </div>
  )
}

/**
 * Brings the place where a decision is made into sight, with the focus on that place and on no button: the link may come
 * from anybody, and Enter must not decide.
 */
function useOfferedAction(frame: RefObject<HTMLElement | null>, action: HumanTrigger | undefined): void {
  useEffect(() => {
    if (action === undefined) return
    const place = frame.current?.querySelector<HTMLElement>(
      action === 'answer' ? '[data-question]' : '[data-decisions]',
    )
    // The decisions of a phone are in sight already, and what they are about stays so.
    place?.scrollIntoView({ block: 'nearest' })
    place?.focus({ preventScroll: true })
  }, [frame, action])
}
