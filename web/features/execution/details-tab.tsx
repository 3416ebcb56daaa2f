import type { Execution } from '../../../core/rest/client/client.ts'
import { useExecutionManifest } from '../../api/executions.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorState, Skeleton } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import type { ManifestEvent } from '../../model/manifest.ts'
import { formatInstant } from '../../model/time.ts'
import css from './execution.module.css'

/** The resource as Kubernetes has it, with its events and its pod, and the command that shows the same. */
export function DetailsTab({ execution }: { readonly execution: Execution }) {
  const { data, error, retry } = useExecutionManifest(execution)
  if (data === undefined)
    return error === undefined ? (
      <Skeleton rows={6} label="The resource is being read" />
    ) : (
      <ErrorState title="The resource could not be read" error={error} onRetry={retry} />
    )
  const { yaml, namespace, events, pod, problems } = data
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`
  return (
    <div className={css['details']}>
      {problems.map((problem) => (
        <p key={problem} className={css['error']}>
          {problem}
        </p>
      ))}
      <section>
        <h2>Events</h2>
        <Events events={events} />
      </section>
      <section>
        <h2>Pod{pod !== undefined && ` ${pod.name}`}</h2>
        {pod === undefined ? (
          <p>It has no pod now.</p>
        ) : (
          <>
            <Events events={pod.events} />
            <CodeBlock text={pod.status} label="Status of the pod" isWrapped />
          </>
        )}
      </section>
      <section>
        <h2>Resource</h2>
        <CodeBlock text={yaml} label="YAML of the execution" isWrapped />
        <CodeBlock text={`kubectl get execution ${execution.id}${inNamespace} -o yaml`} label="Command" isWrapped />
      </section>
    </div>
  )
}

function Events({ events }: { readonly events: readonly ManifestEvent[] }) {
  if (events.length === 0) return <p>No events are kept: Kubernetes forgets them after an hour.</p>
  return (
    <ul className={css['events']}>
      {events.map(({ at, type, reason, message }, index) => (
        <li key={index} data-type={type}>
          <time dateTime={at}>{Number.isNaN(Date.parse(at)) ? at : formatInstant(at)}</time>
          <b>{reason}</b>
          <span>{showUnseen(message)}</span>
        </li>
      ))}
    </ul>
  )
}
