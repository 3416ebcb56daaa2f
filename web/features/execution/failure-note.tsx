import { Link } from '@tanstack/react-router'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { type TaskDecision, decideTask } from '../../api/decisions.ts'
import { useAnswers } from '../../api/task-drafts.ts'
import { useDecision } from '../../api/use-decision.ts'
import { AnswerForm } from '../../components/answer-form.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { questionsOf } from '../../model/answers.ts'
import { executionStateWords } from '../../model/state-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { AskedNote } from './asked-note.tsx'
import css from './execution.module.css'

interface FailureNoteProps {
  readonly execution: Execution
  readonly task: Task | undefined
  /** To what the agent asked at the end. */
  readonly answer: GivenAnswer | undefined
}

const FAILED: readonly Execution['state'][] = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED']
/** What is mended on the page of the agent. */
const ABOUT_AGENT: readonly Execution['error_category'][] = ['auth', 'credentials', 'unavailable', 'quota']

/** Why it came to rest, in the first line of the page: the server's words, which end with what to do. */
export function FailureNote({ execution, task, answer }: FailureNoteProps) {
  const { state, error, error_category, agent, task_id, questions } = execution
  if (task?.execution_id === execution.id && task.state === 'BLOCKED' && task.question !== undefined)
    return <QuestionNote task={task} />
  if (questions !== undefined) return <AskedNote questions={questions} answer={answer} />
  if (error === undefined && !FAILED.includes(state)) return null
  return (
    <div className={css['failure']} role="note" aria-label="Why it ended">
      <p>
        <b>{executionStateWords(execution).text}.</b>{' '}
        {agent !== undefined && ABOUT_AGENT.includes(error_category) && (
          <Link to="/agents/$agentId" params={{ agentId: agent }}>
            To the agent {agent}
          </Link>
        )}{' '}
        {task_id !== undefined && (
          <Link to="/tasks/$taskId" params={{ taskId: task_id }}>
            To the task{formatMoves(task, execution)}
          </Link>
        )}
      </p>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={css['error']} role="region" aria-label="Error" tabIndex={0}>
        {showUnseen(error ?? 'It ended without a word.')}
      </pre>
    </div>
  )
}

/** What this person may do there about it; '' where a later execution has taken its place. */
function formatMoves(task: Task | undefined, { id }: Execution): string {
  if (task === undefined || task.execution_id !== id) return ''
  const moves = [
    ...(task.actions.includes('resume') ? ['resume it'] : []),
    ...(task.actions.includes('run') ? ['start it afresh'] : []),
  ]
  return moves.length === 0 ? '' : `, to ${moves.join(' or ')}`
}

/** What the agent asked when it came to rest, answered here as on the page of the task. */
function QuestionNote({ task }: { readonly task: Task }) {
  const [answers, setAnswers] = useAnswers(task.id)
  const { decide, isPending } = useDecision((decision: TaskDecision) => decideTask(task, decision), {
    onDone: (message) => {
      notify(`${task.name}: ${message}`)
      setAnswers({})
    },
    onRefused: refuse,
  })
  return (
    <section className={css['failure']} data-tone="ask" aria-label="Question of the agent">
      <b>The agent asks.</b>
      <AnswerForm
        questions={questionsOf(task)}
        answers={answers}
        canAnswer={task.actions.includes('answer')}
        isPending={isPending}
        onAnswers={setAnswers}
        onSend={(answer) => decide({ action: 'answer', answer })}
      />
    </section>
  )
}
