import type { Execution } from '../../../core/rest/client/client.ts'
import { useServiceLogs } from '../../api/executions.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './execution.module.css'

/** What the services of the project printed last, beside the agent. */
export function ServicesTab({ execution, isLive }: { readonly execution: Execution; readonly isLive: boolean }) {
  const { data, error, retry } = useServiceLogs(execution.id, isLive)
  if (error !== undefined)
    return <ErrorState title="The logs of the services could not be read" error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton rows={8} label="The logs of the services are being read" />
  if (data.length === 0)
    return (
      <EmptyState title="There are no logs of its services">
        They are kept when an execution ends; this one’s pod was gone by then.
      </EmptyState>
    )
  return (
    <div className={css['details']}>
      {data.map(({ name, log, problem }) => (
        <section key={name}>
          <h2>{name}</h2>
          {problem !== undefined && <p className={css['note']}>Not all of it could be read: {showUnseen(problem)}</p>}
          {log === '' ? (
            <p className={css['note']}>It has printed nothing{isLive && ' yet'}.</p>
          ) : (
            <CodeBlock text={showUnseen(log)} label={`Log of ${name}`} isWrapped />
          )}
        </section>
      ))}
    </div>
  )
}
