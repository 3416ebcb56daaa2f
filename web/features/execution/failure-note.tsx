import { Link } from '@tanstack/react-router'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { executionStateWords } from '../../model/execution-state.ts'
import { adviceFor, concernsAgent } from './advice.ts'
import css from './execution.module.css'

interface FailureNoteProps {
  readonly execution: Execution
  readonly task: Task | undefined
}

/** Why it came to rest, in the first line of the page, and what to do about it. */
export function FailureNote({ execution, task }: FailureNoteProps) {
  const { error, error_category, agent, task_id } = execution
  const advice = adviceFor(execution)
  if (task?.execution_id === execution.id && task.actions.includes('answer')) return <QuestionNote task={task} />
  if (advice === undefined) return null
  return (
    <div className={css['failure']} role="note">
      <p>
        <b>{executionStateWords(execution).text}.</b> {advice}{' '}
        {concernsAgent(error_category) && agent !== undefined && (
          <Link to="/agents/$agentId" params={{ agentId: agent }}>
            To the agent {agent}
          </Link>
        )}{' '}
        {task_id !== undefined && (
          <Link to="/tasks/$taskId" params={{ taskId: task_id }}>
            To the task
          </Link>
        )}
      </p>
      {error !== undefined && <Message text={showUnseen(error)} />}
    </div>
  )
}

function QuestionNote({ task }: { readonly task: Task }) {
  return (
    <div className={css['failure']} data-tone="ask" role="note">
      <p>
        <b>The agent asks.</b> {showUnseen(task.question ?? '')}{' '}
        <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
          Answer on the page of the task
        </Link>
      </p>
    </div>
  )
}

/** The first line; the rest opens. */
function Message({ text }: { readonly text: string }) {
  const [first, ...rest] = text.split('\n')
  if (rest.length === 0) return <p className={css['error']}>{first}</p>
  return (
    <details className={css['error']}>
      <summary>{first}</summary>
      {rest.join('\n')}
    </details>
  )
}
