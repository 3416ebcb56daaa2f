import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useAnswers } from '../../api/task-drafts.ts'
import { useWorkspace } from '../../api/kubernetes.ts'
import { useTaskDecision } from '../../api/use-decision.ts'
import { FailedRun } from '../../components/failed-run.tsx'
import { AnswerForm } from '../../components/answer-form.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { questionsOf } from '../../model/answers.ts'
import { hasFailed } from '../../model/failed-run.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { AskedNote } from './asked-note.tsx'
import css from './execution.module.css'

interface FailureNoteProps {
  readonly execution: Execution
  readonly task: Task | undefined
  /** To what the agent asked at the end. */
  readonly answer: GivenAnswer | undefined
}

/** Why it came to rest, in the first line of the page: what it asks, or why it failed. */
export function FailureNote({ execution, task, answer }: FailureNoteProps) {
  const { error, agent, questions } = execution
  const isLatest = task?.execution_id === execution.id
  const workspace = useWorkspace(isLatest && hasFailed(execution) ? execution : undefined)
  if (isLatest && task.state === 'BLOCKED' && task.question !== undefined) return <QuestionNote task={task} />
  if (questions !== undefined) return <AskedNote questions={questions} answer={answer} />
  if (error === undefined && !hasFailed(execution)) return null
  return <FailedRun of={execution} {...{ execution, agent, workspace }} />
}

/** What the agent asked when it came to rest, answered here as on the page of the task. */
function QuestionNote({ task }: { readonly task: Task }) {
  const [answers, setAnswers] = useAnswers(task.id)
  const { decide, isPending, held } = useTaskDecision(task, {
    onDone: (message) => {
      notify(`${task.name}: ${message}`)
      setAnswers({})
    },
    onRefused: refuse,
  })
  return (
    <section className={css['question']} aria-label="Question of the agent">
      <b>The agent asks.</b>
      <AnswerForm
        questions={questionsOf(task)}
        answers={answers}
        canAnswer={task.actions.includes('answer')}
        isPending={isPending}
        held={held}
        onAnswers={setAnswers}
        onSend={(answer) => decide({ action: 'answer', answer })}
      />
    </section>
  )
}
