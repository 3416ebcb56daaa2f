/** What only the control plane knows of a resource: its events and its pod. The manifest and the record are made of it. */
import { withoutAbsent } from '../../core/omit.ts'
import type {
  ContainerRecord,
  KubernetesEventRecord,
  KubernetesRecord,
  PodRecord,
} from '../../core/rest/records/kubernetes.ts'
import type { ContainerStatus, Event, Pod } from '../../kube/builtin.ts'
import { EVENTS, PODS } from '../../kube/resources.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { ApiContext } from '../context.ts'
import { type Representation, represent } from './representation.ts'
import { messageOf } from '../../lib/error-message.ts'

/** A resource, and where to look for what belongs to it. */
export interface KubernetesSource {
  readonly object: KubeObject
  /** Its pod, without a name where it has none now; absent for kinds that never have one. */
  readonly pod?: { readonly name: string | undefined }
}

/** What was read, or why it could not be: a control plane that is gone is said, and fails nothing. */
export type Read<T> =
  | { readonly ok: true; readonly title: string; readonly value: T }
  | { readonly ok: false; readonly title: string; readonly reason: string }

export interface KubernetesFacts {
  /** In the order in which they are shown. */
  readonly events: Read<readonly Event[]>
  /** Absent for kinds that never have one. */
  readonly pod?: PodFacts
}

interface PodFacts {
  /** Undefined where the resource has no pod now. */
  readonly name: string | undefined
  /** Holds undefined where Kubernetes has removed it. */
  readonly found?: Read<Pod | undefined>
  readonly events?: Read<readonly Event[]>
}

type Reach = Pick<ApiContext, 'client' | 'namespace'>

/** Reads the events of a resource, its pod and, because why that does not start is said nowhere else, the pod's events. */
export async function readKubernetes(reach: Reach, { object, pod }: KubernetesSource): Promise<KubernetesFacts> {
  const events = await attempt('Events', () => listEvents(reach, object))
  return pod === undefined ? { events } : { events, pod: await readPod(reach, pod.name) }
}

async function readPod(reach: Reach, name: string | undefined): Promise<PodFacts> {
  if (name === undefined) return { name }
  const found = await attempt(`Pod ${name}`, () => reach.client.find(PODS, { namespace: reach.namespace, name }))
  const pod = found.ok ? found.value : undefined
  if (pod === undefined) return { name, found }
  return { name, found, events: await attempt(`Events of pod ${name}`, () => listEvents(reach, pod)) }
}

async function attempt<T>(title: string, read: () => Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, title, value: await read() }
  } catch (error) {
    return { ok: false, title, reason: messageOf(error) }
  }
}

async function listEvents({ client, namespace }: Reach, { metadata }: KubeObject): Promise<readonly Event[]> {
  const fieldSelector = `involvedObject.name=${metadata.name},involvedObject.uid=${metadata.uid ?? ''}`
  const { items } = await client.list(EVENTS, { namespace, fieldSelector })
  const inOrder = items.map((event) => ({ event, key: keyOf(event) }))
  return inOrder.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ event }) => event)
}

/** When it happened last; newer programs leave that to the instant at which the Event was made. */
export function lastAt({ lastTimestamp, metadata }: Event): string | undefined {
  return lastTimestamp ?? metadata.creationTimestamp
}

function keyOf(event: Event): string {
  return [lastAt(event), event.type, event.reason, event.message, event.metadata.name].join('  ')
}

/** The same as a record. The events are in the order of the manifest's, and so are the words. */
export async function describeKubernetes(
  reach: Reach,
  source: KubernetesSource,
): Promise<Representation<KubernetesRecord>> {
  return represent(toKubernetesRecord(reach.namespace, await readKubernetes(reach, source)))
}

function toKubernetesRecord(namespace: string, { events, pod }: KubernetesFacts): KubernetesRecord {
  const parts: readonly (Read<unknown> | undefined)[] = [events, pod?.found, pod?.events]
  return {
    namespace,
    events: toEventRecords(events),
    ...withoutAbsent({ pod: pod === undefined ? undefined : toPodRecord(pod) }),
    problems: parts.flatMap((part) => (part === undefined || part.ok ? [] : [describeProblem(part)])),
  }
}

/** Why a part is missing, in the words of the manifest. */
export function describeProblem({ title, reason }: Extract<Read<unknown>, { ok: false }>): string {
  return `${title}: not available (${reason})`
}

function toPodRecord({ name, found, events }: PodFacts): PodRecord | undefined {
  if (name === undefined || found === undefined) return undefined
  // The phase with which Kubernetes says that the state of a pod could not be obtained.
  if (!found.ok) return { name, is_gone: false, phase: 'Unknown', containers: [], events: [] }
  const { spec, status = {} } = found.value ?? {}
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return {
    name,
    is_gone: found.value === undefined,
    ...withoutAbsent({ phase: status.phase, node: spec?.nodeName, reason: status.reason, message: status.message }),
    containers: containers.map(toContainerRecord),
    events: events === undefined ? [] : toEventRecords(events),
  }
}

function toContainerRecord({ name, state = {}, restartCount }: ContainerStatus): ContainerRecord {
  const { waiting, running, terminated } = state
  return {
    name,
    ...withoutAbsent({
      state: terminated ? ('terminated' as const) : running ? ('running' as const) : waiting && ('waiting' as const),
      reason: (terminated ?? waiting)?.reason,
      message: (terminated ?? waiting)?.message,
      exit_code: terminated?.exitCode,
      // A kube-apiserver writes an instant that is not known as null.
      started_at: (terminated ?? running)?.startedAt ?? undefined,
      finished_at: terminated?.finishedAt ?? undefined,
    }),
    restarts: restartCount,
  }
}

function toEventRecords(events: Read<readonly Event[]>): KubernetesEventRecord[] {
  return events.ok ? events.value.map(toEventRecord) : []
}

function toEventRecord(event: Event): KubernetesEventRecord {
  const { metadata, type, reason, message, count, firstTimestamp, source, reportingComponent } = event
  const last = lastAt(event)
  return {
    id: metadata.name,
    ...withoutAbsent({ type, reason }),
    message: message ?? '',
    count: count ?? 1,
    ...withoutAbsent({
      first_at: firstTimestamp ?? last,
      last_at: last,
      source: [source?.component, reportingComponent].find((program) => (program ?? '') !== ''),
    }),
  }
}
