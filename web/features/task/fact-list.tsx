import { formatSpan } from '../../../core/sentences/amounts.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { deliveryLabel } from '../../../core/sentences/accept.ts'
import { shortCommit } from '../../../core/text.ts'
import { useRecord } from '../../api/queries.ts'
import { CiBeside } from '../../components/ci.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { deployedWords, hasDeployment } from '../../model/deployment.ts'
import { findSafeHref, showUnseen } from '../../model/hostile-text.ts'
import { rebaseWords } from '../../model/task-words.ts'
import { Fact } from './fact.tsx'
import { TakeOver } from './take-over.tsx'
import css from './task.module.css'

const CHOSEN_BY: Readonly<Record<NonNullable<Task['chosen_by']>, string>> = {
  request: 'named by the person who ran it',
  spec: 'named by the task',
  rules: 'chosen by the rules',
  model: 'chosen by a model',
}

/** What else is known of a task, one line each; what is not known is left out. */
export function FactList({ task }: { readonly task: Task }) {
  const { head, delivery, deployment_status: deployment } = task
  const { data: project } = useRecord('projects', task.project ?? '')
  const isCompared = deployment?.includes_fix === true || hasDeployment(project)
  const rebase = rebaseWords(task)
  return (
    <dl className={css['facts']}>
      <Fact label="Commit">{head && <code title={head.commit}>{shortCommit(head.commit)}</code>}</Fact>
      <Fact label="Base">{rebase}</Fact>
      <Fact label="Conflicts">{task.rebase?.files.length !== 0 && task.rebase?.files.map(showUnseen).join(', ')}</Fact>
      <Fact label="Deployed">{deployment && isCompared && deployedWords(deployment)}</Fact>
      <Fact label="Delivery">{delivery && <Delivery task={task} />}</Fact>
      <Fact label="CI">{task.state !== 'READY' && task.ci && <CiBeside task={task} />}</Fact>
      <TakeOver task={task} />
      <Fact label="Why this agent">{chosenWords(task)}</Fact>
      <Fact label="Time limit">{task.timeout_seconds && formatSpan(task.timeout_seconds * 1_000)}</Fact>
      <Fact label="Priority">{task.priority}</Fact>
      <Fact label="Created">
        <TimeAgo at={task.created_at} />
      </Fact>
      <Fact label="Changed">
        <TimeAgo at={task.updated_at} />
      </Fact>
    </dl>
  )
}

/** Who was named needs no reason; the rules and a model gave one. */
function chosenWords({ chosen_by, agent_reason }: Task): string | undefined {
  const isNamed = chosen_by === 'spec' || chosen_by === 'request'
  if (agent_reason !== undefined && !isNamed) return showUnseen(agent_reason)
  return chosen_by && CHOSEN_BY[chosen_by]
}

function Delivery({ task }: { readonly task: Task }) {
  const page = task.delivery?.url === undefined ? undefined : findSafeHref(task.delivery.url)
  const text = task.delivery && deliveryLabel(task.delivery)
  if (page === undefined) return text
  return (
    <a href={page} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
