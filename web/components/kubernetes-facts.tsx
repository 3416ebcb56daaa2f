import type { ReactNode } from 'react'
import type { Kubernetes } from '../../core/rest/client/client.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { type KubernetesEvent, type Pod, containerWords, eventWords } from '../model/kubernetes-words.ts'
import css from './kubernetes-facts.module.css'
import { TimeAgo } from './time-ago.tsx'

interface KubernetesFactsProps {
  readonly kubernetes: Kubernetes
  /** What it is about: `task`. */
  readonly noun: string
  /** False: this kind never has a pod. */
  readonly hasPod?: boolean
}

/** What Kubernetes says of a record: its events, its pod, and what could not be read. */
export function KubernetesFacts({ kubernetes, noun, hasPod = true }: KubernetesFactsProps) {
  const { events, pod, problems } = kubernetes
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} className={css['problem']} role="alert">
          {showUnseen(problem)}
        </p>
      ))}
      <Part title="Kubernetes events">
        {events.length === 0 && problems.length > 0 ? (
          <p className={css['none']}>None are known.</p>
        ) : (
          <Events events={events} label={`Kubernetes events of the ${noun}`} />
        )}
      </Part>
      {hasPod && (
        <Part title={pod === undefined ? 'Pod' : `Pod ${pod.name}`}>
          {pod === undefined || pod.is_gone ? (
            <p className={css['none']}>
              {pod === undefined
                ? 'It has no pod now: pods exist while an attempt runs.'
                : 'Kubernetes has removed it.'}
            </p>
          ) : (
            <PodFacts pod={pod} />
          )}
        </Part>
      )}
    </>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css['part']}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function PodFacts({ pod: { phase, node, reason, message, containers, events } }: { readonly pod: Pod }) {
  const facts = Object.entries({ Phase: phase, Node: node, Reason: reason, Message: message })
  return (
    <>
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{showUnseen(value)}</dd>],
        )}
      </dl>
      {containers.length > 0 && (
        <Table label="Containers of the pod" columns={['Container', 'State']}>
          {containers.map((container) => (
            <tr key={container.name}>
              <td>{container.name}</td>
              <td>{containerWords(container)}</td>
            </tr>
          ))}
        </Table>
      )}
      {events.length > 0 && <Events events={events} label="Kubernetes events of the pod" />}
    </>
  )
}

/** The newest first: why something does not go on stands in its last event. */
function Events({ events, label }: { readonly events: readonly KubernetesEvent[]; readonly label: string }) {
  if (events.length === 0) return <p className={css['none']}>None. Kubernetes keeps events for about an hour.</p>
  return (
    <Table label={label} columns={['When', 'Reason', 'Message']}>
      {events.toReversed().map((event) => (
        <tr key={event.id} data-warning={event.type === 'Warning' || undefined}>
          <td>{event.last_at !== undefined && <TimeAgo at={event.last_at} />}</td>
          <td title={event.source === undefined ? undefined : `Reported by ${showUnseen(event.source)}`}>
            {showUnseen(event.reason ?? '')}
            {event.type === 'Warning' && ' (warning)'}
          </td>
          <td>{eventWords(event)}</td>
        </tr>
      ))}
    </Table>
  )
}

interface TableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}

function Table({ label, columns, children }: TableProps) {
  return (
    <div className={css['scroll']}>
      <table>
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
