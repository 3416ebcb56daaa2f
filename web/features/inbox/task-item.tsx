import { type ReactNode, lazy, useEffect, useLayoutEffect, useRef, use, useState } from 'react'
import { countOf, formatCost, sayAge } from '../../../core/sentences/amounts.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useCanRunAgain } from '../../api/stories.ts'
import { useIsScript, useNameOf } from '../../api/queries.ts'
import { useAnswers, useReviewDraft } from '../../api/task-drafts.ts'
import { useTaskDecision } from '../../api/use-decision.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { AnswerForm } from '../../components/answer-form.tsx'
import { Changes } from '../../components/changes.tsx'
import { ChecksMark, ProtectedBadge } from '../../components/checks.tsx'
import { CiMark } from '../../components/ci.tsx'
import { ForeignBadge } from '../../components/review-notes.tsx'
import { ReviewForm } from '../../components/review-form.tsx'
import { telling } from '../../components/toast.tsx'
import { questionsOf } from '../../model/answers.ts'
import { failureWords } from '../../model/failure-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { latestWork } from '../../../core/rest/latest-work.ts'
import { takesReview } from '../../model/review.ts'
import { taskStateWords } from '../../model/state-words.ts'
import { ageWords, placeWords, summaryLine } from '../../model/task-words.ts'
import { formatInstant } from '../../model/time.ts'
import css from './inbox.module.css'
import { InboxContext } from './inbox-state.ts'
import { Item } from './item.tsx'
import { TaskActions } from './task-actions.tsx'

// Most rows are never opened, and a diff is the largest part of the page.
const TaskPeek = lazy(() => import('./task-peek.tsx').then(({ TaskPeek: component }) => ({ default: component })))

/** A task that waits for a person, with exactly the decisions that its record allows this person. */
export function TaskItem({ task, sinceMs }: { readonly task: Task; readonly sinceMs: number }) {
  const nowMs = useServerTime()
  // Undefined: it was not opened yet. Once the form is closed, its button has the focus again.
  const [isReviewing, setReviewing] = useState<boolean>()
  const [answers, setAnswers, forgetAnswers] = useAnswers(task.id)
  const review = useReviewDraft(task.id, latestWork(task))
  const project = useProjectOf(task.project)
  const canRun = useCanRunAgain(task)
  const isScript = useIsScript(task)
  const projectName = useNameOf('projects', task.project ?? '')
  const { decide, isPending, held } = useTaskDecision(
    task,
    telling(task.name, ({ action }) => {
      endWriting()
      if (action === 'answer') forgetAnswers()
      if (takesReview(action)) review.clear()
    }),
  )
  const isAnswering = task.state === 'BLOCKED' && Object.keys(answers).length > 0
  const endWriting = useOvertaken(task.id, isReviewing === true ? review.isBegun : isAnswering)
  return (
    <Item
      words={taskStateWords(task, nowMs)}
      title={task.name}
      to={`/tasks/${encodeURIComponent(task.id)}`}
      meta={[placeWords(task.agent?.type, projectName), ...metaOf(task, sinceMs, nowMs)]}
      peek={{ label: 'Peek', render: () => <TaskPeek task={task} review={review} /> }}
      actions={
        <TaskActions
          task={task}
          canAccept={project.isKnown}
          isPending={isPending}
          held={held}
          isReviewing={isReviewing}
          canRun={canRun}
          onReview={() => setReviewing(true)}
          onDecide={decide}
        />
      }
    >
      {task.state === 'READY' && <p>{showUnseen(summaryLine(task))}</p>}
      {task.state === 'READY' && (
        <p>
          <AcceptConsequence project={project} effectOf={(known) => acceptEffect(task, known)} />
        </p>
      )}
      {task.error !== undefined && task.state !== 'READY' && <p className={css['error']}>{failureWords(task.error)}</p>}
      {task.state === 'BLOCKED' && (
        <AnswerForm
          questions={questionsOf(task)}
          answers={answers}
          canAnswer={task.actions.includes('answer') && held === undefined}
          isPending={isPending}
          onAnswers={setAnswers}
          onSend={(answer) => decide({ action: 'answer', answer })}
        />
      )}
      {isReviewing === true && held === undefined && (
        <ReviewForm
          task={task}
          general={review.general}
          comments={review.comments}
          isPending={isPending}
          onGeneral={review.setGeneral}
          onComments={review.setComments}
          canRun={canRun}
          isScript={isScript}
          onDecide={decide}
          onCancel={() => setReviewing(false)}
        />
      )}
    </Item>
  )
}

/** What a row says of the task beside its name. */
function metaOf(task: Task, sinceMs: number, nowMs: number): readonly ReactNode[] {
  const { changes } = task
  const since = new Date(sinceMs).toISOString()
  return [
    <time key="age" dateTime={since} title={formatInstant(since)}>
      {ageWords(task)} {sayAge(nowMs - sinceMs)}
    </time>,
    changes !== undefined && changes.files > 0 && (
      <>
        <Changes {...changes} /> in {countOf(changes.files, 'file')}
      </>
    ),
    formatCost(task.cost_usd),
    task.checks !== undefined && <ChecksMark key="checks" task={task} />,
    task.ci !== undefined && <CiMark key="ci" task={task} />,
    task.protected_changes !== undefined && <ProtectedBadge key="protected" of={task} />,
    task.foreign_commit_count !== undefined && <ForeignBadge key="foreign" of={task} />,
  ]
}

/**
 * Says that the row went, in another tab or by another person, while something was being written in it. Gives what says
 * that a decision of this page has ended that.
 */
function useOvertaken(taskId: string, isWriting: boolean): () => void {
  const { setOvertaken } = use(InboxContext)
  const latest = useRef(isWriting)
  useEffect(() => {
    latest.current = isWriting
  }, [isWriting])
  // Drawn at once in place of the row.
  useLayoutEffect(
    () => () => {
      if (latest.current) setOvertaken(taskId, true)
    },
    [taskId, setOvertaken],
  )
  return () => {
    if (!latest.current) return
    latest.current = false
    setOvertaken(taskId, false)
  }
}
