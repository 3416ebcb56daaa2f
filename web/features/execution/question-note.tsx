import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import { decideTask } from '../../api/decisions.ts'
import { useAnswers } from '../../api/task-drafts.ts'
import { useDecision } from '../../api/use-decision.ts'
import { AnswerForm } from '../../components/answer-form.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { questionsOf } from '../../model/answers.ts'
import css from './execution.module.css'

/** What the agent asked when it came to rest, answered here as on the page of the task. */
export function QuestionNote({ task }: { readonly task: Task }) {
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
