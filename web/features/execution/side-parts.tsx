import { formatCost, formatSpending, formatTokens } from '../../../core/sentences/amounts.ts'
import type { ReactNode } from 'react'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useKubernetes } from '../../api/kubernetes.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Meter } from '../../components/meter.tsx'
import type { Transcript } from '../../model/transcript.ts'
import css from './execution.module.css'
import { spendingOf } from './spending.ts'

interface CostProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly transcript: Transcript
}

interface PartProps {
  readonly title: string
  readonly count?: string
  readonly children: ReactNode
}

/** A part of what stands beside the conversation. */
export function Part({ title, count, children }: PartProps) {
  return (
    <section>
      <h2>
        {title} {count !== undefined && <span>{count}</span>}
      </h2>
      {children}
    </section>
  )
}

function Named({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  )
}

function CopyCommand({ execution, pod }: { readonly execution: Execution; readonly pod: string }) {
  const { data } = useKubernetes({ kind: 'execution', id: execution.id, version: undefined })
  if (data === undefined) return null
  const command = `kubectl logs -f ${pod} -n ${data.namespace} -c agent`
  return (
    <p className={css['command']}>
      <code>{command}</code>
      <CopyButton text={command} label="Copy the command" isIconOnly />
    </p>
  )
}

/** What it has cost, against the budget. */
export function Cost({ execution, task, transcript }: CostProps) {
  const { costUSD, tokensIn, tokensOut, cached, turns } = spendingOf(execution, transcript)
  if (formatCost(costUSD) === undefined && tokensIn + tokensOut === 0) return null
  return (
    <Part title="Cost" count={formatSpending(costUSD, task?.budget_usd) ?? ''}>
      {task?.budget_usd !== undefined && costUSD !== undefined && (
        <Meter done={Math.min(costUSD, task.budget_usd)} total={task.budget_usd} label="Share of the budget" />
      )}
      <dl>
        <dt>Tokens</dt>
        <dd>
          {formatTokens(tokensIn)} in · {formatTokens(tokensOut)} out
        </dd>
        {turns !== undefined && (
          <>
            <dt>Turns</dt>
            <dd>{turns}</dd>
          </>
        )}
        <dt>Cached</dt>
        <dd>{Math.round(cached * 100)} %</dd>
      </dl>
    </Part>
  )
}

/** The pod and the session, with the command that follows the pod's output. */
export function Where({ execution }: { readonly execution: Execution }) {
  const { pod, session_id } = execution
  if (pod?.name === undefined && session_id === undefined) return null
  return (
    <Part title="Where">
      <dl>
        {pod?.name !== undefined && <Named name="Pod" value={pod.name} />}
        {session_id !== undefined && <Named name="Session" value={session_id} />}
      </dl>
      {pod?.name !== undefined && <CopyCommand execution={execution} pod={pod.name} />}
    </Part>
  )
}
