/**
 * What a pod does next, as a pure decision: init containers one after another, then the main ones, to the end that
 * its restart policy, its deadline or its deletion gives it.
 *
 * Level-triggered: the same observation gives the same step, so a node that restarts goes on where it was.
 * Source: Kubernetes documentation, "Pod Lifecycle" and "Init Containers".
 */
import type { Container, Pod } from '../kube/builtin.ts'
import type { Exit } from './exit.ts'

/** The state of one container on this machine. */
export type ContainerRun =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string; readonly retryAt?: Date }
  | { readonly kind: 'running'; readonly startedAt: Date }
  | { readonly kind: 'ended'; readonly exit: Exit; readonly message?: string }

export interface ContainerRecord {
  readonly run: ContainerRun
  readonly restarts: number
  readonly last?: Exit
}

export interface ObservedPod {
  readonly now: Date
  readonly pod: Pod
  /** When this node took the pod on. */
  readonly startedAt: Date
  /** Since then, by the kernel's clock: that of the wall may have been set meanwhile. */
  readonly activeMs: number
  /** Since its deletion was asked for, in the same way; undefined while it is not to be deleted. */
  readonly deletedForMs?: number | undefined
  /** By container name; absent means never started. */
  readonly containers: ReadonlyMap<string, ContainerRecord>
}

export interface PodEnd {
  readonly phase: 'Succeeded' | 'Failed'
  readonly reason?: string
  readonly message?: string
}

export type PodStep =
  | { readonly kind: 'start'; readonly container: Container; readonly restart: boolean }
  | { readonly kind: 'stop'; readonly containers: readonly string[]; readonly graceMs: number; readonly reason: string }
  | { readonly kind: 'finish'; readonly end: PodEnd }
  /** The pod has ended and is to be deleted: the API may forget it. */
  | { readonly kind: 'remove'; readonly end: PodEnd }
  /** Until something changes, or this instant. */
  | { readonly kind: 'wait'; readonly until?: Date }

const DEFAULT_GRACE_SECONDS = 30

/** Decides the next step of one pod. */
export function decidePod(seen: ObservedPod): PodStep {
  const end = findPodEnd(seen)
  const isDeleted = seen.pod.metadata.deletionTimestamp !== undefined
  if (end !== undefined || isDeleted) {
    const stop = stopRunning(seen, isDeleted ? 'Deleted' : 'PodFinished')
    if (stop !== undefined) return stop
  }
  if (isDeleted) return { kind: 'remove', end: end ?? { phase: 'Failed' } }
  if (end !== undefined) return { kind: 'finish', end }
  return startNext(seen)
}

/** How the pod ended, or must end now; undefined while it goes on. */
export function findPodEnd(seen: ObservedPod): PodEnd | undefined {
  const { phase, reason, message } = seen.pod.status ?? {}
  if (phase === 'Succeeded' || phase === 'Failed') {
    return { phase, ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) }
  }
  const end = endOfContainers(seen)
  // What the deadline ended has failed because of it, whatever exit code SIGTERM led to.
  return end?.phase === 'Succeeded' ? end : (endByDeadline(seen) ?? end)
}

function endOfContainers(seen: ObservedPod): PodEnd | undefined {
  const { spec } = seen.pod
  const policy = spec.restartPolicy ?? 'Always'
  const exitOf = ({ name }: Container): Exit | undefined => {
    const run = seen.containers.get(name)?.run
    return run?.kind === 'ended' ? run.exit : undefined
  }
  const isFailed = (container: Container): boolean => (exitOf(container)?.exitCode ?? 0) !== 0
  if (policy === 'Never' && (spec.initContainers ?? []).some(isFailed)) return { phase: 'Failed' }
  const isOver = policy !== 'Always' && spec.containers.every((container) => exitOf(container) !== undefined)
  if (!isOver) return undefined
  if (!spec.containers.some(isFailed)) return { phase: 'Succeeded' }
  return policy === 'Never' ? { phase: 'Failed' } : undefined
}

function endByDeadline(seen: ObservedPod): PodEnd | undefined {
  const at = deadlineOf(seen)
  if (at === undefined || at > seen.now || endedBefore(seen, at)) return undefined
  return {
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  }
}

/** Instants of an exit have whole seconds, so seconds are compared. */
function endedBefore({ containers }: ObservedPod, at: Date): boolean {
  const second = Math.floor(at.getTime() / 1000)
  const runs = [...containers.values()].map(({ run }) => run)
  return (
    runs.length > 0 &&
    runs.every((run) => run.kind === 'ended' && Math.floor(Date.parse(run.exit.finishedAt) / 1000) < second)
  )
}

function deadlineOf({ pod, now, activeMs }: ObservedPod): Date | undefined {
  const seconds = pod.spec.activeDeadlineSeconds
  return seconds === undefined ? undefined : later(now, seconds * 1000 - activeMs)
}

function stopRunning(seen: ObservedPod, reason: string): PodStep | undefined {
  const running = [...seen.containers].filter(([, { run }]) => run.kind === 'running').map(([name]) => name)
  return running.length === 0 ? undefined : { kind: 'stop', containers: running, graceMs: graceMsOf(seen), reason }
}

/** A deletion says until when; a node that was away does not begin the grace anew. */
function graceMsOf({ pod, deletedForMs = 0 }: ObservedPod): number {
  const { deletionGracePeriodSeconds } = pod.metadata
  const seconds = deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS
  return Math.max(0, seconds * 1000 - deletedForMs)
}

/** When a deletion was asked for: its timestamp lies at the end of the grace. */
export function deletionAskedAt({ metadata }: Pod): Date | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return undefined
  return new Date(Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000)
}

function startNext(seen: ObservedPod): PodStep {
  const { spec } = seen.pod
  for (const container of spec.initContainers ?? []) {
    const run = seen.containers.get(container.name)?.run
    if (run?.kind === 'ended' && run.exit.exitCode === 0) continue
    return startOrWait(seen, [container])
  }
  return startOrWait(seen, spec.containers)
}

function startOrWait(seen: ObservedPod, candidates: readonly Container[]): PodStep {
  const dueAt = candidates.map((container) => ({ container, at: startDueAt(seen, container) }))
  const due = dueAt.find(({ at }) => at !== undefined && at <= seen.now)
  if (due !== undefined) {
    const restart = seen.containers.get(due.container.name)?.run.kind === 'ended'
    return { kind: 'start', container: due.container, restart }
  }
  const instants = [...dueAt.map(({ at }) => at), deadlineOf(seen)].filter((at) => at !== undefined)
  return instants.length === 0 ? { kind: 'wait' } : { kind: 'wait', until: earliest(instants) }
}

/** When a container is to be started; undefined while it runs or when it shall not run again. */
function startDueAt({ now, pod, containers }: ObservedPod, { name }: Container): Date | undefined {
  const record = containers.get(name)
  if (record === undefined) return now
  const { run } = record
  if (run.kind === 'running') return undefined
  if (run.kind === 'waiting') return run.retryAt ?? now
  const isInit = pod.spec.initContainers?.some((container) => container.name === name) === true
  const policy = pod.spec.restartPolicy ?? 'Always'
  const again = run.exit.exitCode === 0 ? policy === 'Always' && !isInit : policy !== 'Never'
  return again ? later(new Date(run.exit.finishedAt), restartDelayMs(record.restarts)) : undefined
}

const RESTART_DELAY_MS = { first: 10_000, last: 300_000 }

/** Ten seconds, doubled with each restart, five minutes at most; the first restart comes at once. */
export function restartDelayMs(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(RESTART_DELAY_MS.first * 2 ** (restarts - 1), RESTART_DELAY_MS.last)
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

function earliest(instants: readonly Date[]): Date {
  return new Date(Math.min(...instants.map((at) => at.getTime())))
}
