import type { Task } from '../../../core/rest/client/client.ts'
import { useTaskManifest } from '../../api/task-details.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { ErrorState, Skeleton } from '../../components/view-states.tsx'
import type { Manifest, ManifestEvent } from '../../model/manifest.ts'
import { Part } from './part.tsx'
import css from './task.module.css'

/** The resource behind the task as kubectl has it, and beside it its events and its pod. */
export function ResourceTab({ task }: { readonly task: Task }) {
  const { manifest, isReading, error, readAgain } = useTaskManifest(task)
  if (manifest === undefined)
    return error === undefined ? (
      <Skeleton rows={6} label="The resource is being read" />
    ) : (
      <ErrorState title="The resource could not be read" error={error} onRetry={readAgain} />
    )
  const place = manifest.namespace === undefined ? '' : ` -n ${manifest.namespace}`
  return (
    <div className={css['overview']}>
      <div className={css['column']}>
        <Part title="The same on the command line">
          <CodeBlock
            label="Command"
            text={`kubectl get task ${task.id}${place} -o yaml\nkubectl describe task ${task.id}${place}`}
          />
        </Part>
        <Part title="Resource">
          <CodeBlock label="YAML of the task" text={manifest.yaml} />
        </Part>
      </div>
      <div className={css['column']}>
        <p className={css['again']}>
          <Button isSmall isBusy={isReading} onClick={readAgain}>
            Read again
          </Button>
        </p>
        <Around manifest={manifest} />
      </div>
    </div>
  )
}

function Around({ manifest: { events, pod, problems } }: { readonly manifest: Manifest }) {
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} className={css['error']} role="alert">
          {problem}
        </p>
      ))}
      <Part title="Kubernetes events">
        <Events events={events} label="Kubernetes events of the task" />
      </Part>
      <Part title={pod === undefined ? 'Pod' : `Pod ${pod.name}`}>
        {pod === undefined ? (
          <p className={css['dim']}>It has no pod now: pods exist while an attempt runs.</p>
        ) : (
          <>
            <dl className={css['facts']}>
              {pod.facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {pod.events.length > 0 && <Events events={pod.events} label="Kubernetes events of the pod" />}
            <details>
              <summary>Its whole status</summary>
              <CodeBlock label="Status of the pod" text={pod.status} />
            </details>
          </>
        )}
      </Part>
    </>
  )
}

function Events({ events, label }: { readonly events: readonly ManifestEvent[]; readonly label: string }) {
  if (events.length === 0) return <p className={css['dim']}>None. Kubernetes keeps events for about an hour.</p>
  return (
    <div className={css['scroll']}>
      <table className={css['table']}>
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ at, type, reason, message }, index) => (
            <tr key={index} data-warning={type === 'Warning' || undefined}>
              <td>{at !== '' && <TimeAgo at={at} />}</td>
              <td>{type === 'Warning' ? `${reason} (warning)` : reason}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
