/** What the control plane itself knows of a resource, beside the resource (specification §8.17). */
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

/** `id` is the name of the Event; `source` says which program reported it. */
export const KubernetesEventRecord = closed({
  id: RecordId,
  type: maybe(Type.String()),
  reason: maybe(Type.String()),
  message: Type.String(),
  /** How often it happened from `first_at` to `last_at`. */
  count: Type.Integer(),
  first_at: maybe(Instant),
  last_at: maybe(Instant),
  source: maybe(Type.String()),
})

const events = Type.Array(KubernetesEventRecord)

/** One container of a pod, in the order in which they start. */
export const ContainerRecord = closed({
  name: Type.String(),
  /** Absent until the kubelet has reported one. */
  state: maybe(Type.Enum(['waiting', 'running', 'terminated'])),
  reason: maybe(Type.String()),
  message: maybe(Type.String()),
  exit_code: maybe(Type.Integer()),
  restarts: Type.Integer(),
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
})

export const PodRecord = closed({
  name: Type.String(),
  /** True: Kubernetes has removed it, and nothing else is known of it. */
  is_gone: Type.Boolean(),
  phase: maybe(Type.String()),
  node: maybe(Type.String()),
  reason: maybe(Type.String()),
  message: maybe(Type.String()),
  containers: Type.Array(ContainerRecord),
  events,
})

/** A part that could not be read is empty, a pod then in phase `Unknown`, and `problems` says so. */
export const KubernetesRecord = closed({
  namespace: Type.String(),
  /** In the order of their last occurrence. */
  events,
  /** Absent where the resource has no pod now. */
  pod: maybe(PodRecord),
  /** What could not be read, and why, in words. */
  problems: Type.Array(Type.String()),
})

export type KubernetesEventRecord = Static<typeof KubernetesEventRecord>
export type ContainerRecord = Static<typeof ContainerRecord>
export type PodRecord = Static<typeof PodRecord>
export type KubernetesRecord = Static<typeof KubernetesRecord>
