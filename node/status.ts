/** The status that a kubelet would write for what is observed; pure. */
import type {
  BuiltinCondition,
  Container,
  ContainerState,
  ContainerStatus,
  PodPhase,
  PodStatus,
} from '../kube/builtin.ts'
import type { Exit } from './exit.ts'
import type { ContainerRecord, ObservedPod, PodEnd } from './pod.ts'

const HOST_IP = '127.0.0.1'

/** `end` once the pod has ended. Condition times move only when a condition's status does. */
export function toPodStatus(seen: ObservedPod, end: PodEnd | undefined): PodStatus {
  const { spec, status } = seen.pod
  const statusesOf = (containers: readonly Container[]): ContainerStatus[] =>
    containers.map((container) => toContainerStatus(seen, container))
  const inits = statusesOf(spec.initContainers ?? [])
  const mains = statusesOf(spec.containers)
  return {
    phase: end?.phase ?? phaseOf(mains),
    ...(end?.reason === undefined ? {} : { reason: end.reason }),
    ...(end?.message === undefined ? {} : { message: end.message }),
    conditions: conditionsOf(seen, inits, mains, end).map((condition) => keepTime(condition, status, seen.now)),
    hostIP: HOST_IP,
    podIP: HOST_IP,
    startTime: toTime(seen.startedAt),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: mains,
  }
}

/** Pending until a main container was started: an init container's run does not make a pod Running. */
function phaseOf(mains: readonly ContainerStatus[]): PodPhase {
  const wasStarted = mains.some(({ state, restartCount }) => state?.waiting === undefined || restartCount > 0)
  return wasStarted ? 'Running' : 'Pending'
}

function toContainerStatus(seen: ObservedPod, container: Container): ContainerStatus {
  const record = seen.containers.get(container.name)
  const isInit = seen.pod.spec.initContainers?.includes(container) === true
  const isRunning = record?.run.kind === 'running'
  const isDone = record?.run.kind === 'ended' && record.run.exit.exitCode === 0
  return {
    name: container.name,
    state: record === undefined ? { waiting: { reason: 'PodInitializing' } } : toState(record),
    ...(record?.last === undefined ? {} : { lastState: { terminated: toTerminated(record.last, undefined) } }),
    ready: isInit ? isDone : isRunning,
    started: isRunning,
    restartCount: record?.restarts ?? 0,
    image: container.image ?? '',
    // The image is this machine.
    imageID: '',
  }
}

function toState({ run }: ContainerRecord): ContainerState {
  switch (run.kind) {
    case 'waiting':
      return { waiting: { reason: run.reason, ...(run.message === undefined ? {} : { message: run.message }) } }
    case 'running':
      return { running: { startedAt: toTime(run.startedAt) } }
    case 'ended':
      return { terminated: toTerminated(run.exit, run.message) }
    default:
      return run satisfies never
  }
}

function toTerminated(exit: Exit, message: string | undefined): NonNullable<ContainerState['terminated']> {
  const text = exit.message ?? message
  return {
    exitCode: exit.exitCode,
    reason: exit.reason ?? (exit.exitCode === 0 ? 'Completed' : 'Error'),
    ...(text === undefined || text === '' ? {} : { message: text }),
    ...(exit.startedAt === undefined ? {} : { startedAt: toSeconds(exit.startedAt) }),
    finishedAt: toSeconds(exit.finishedAt),
  }
}

function conditionsOf(
  { pod }: ObservedPod,
  inits: readonly ContainerStatus[],
  mains: readonly ContainerStatus[],
  end: PodEnd | undefined,
): BuiltinCondition[] {
  const isInitialized = inits.every(({ ready }) => ready)
  const unready = mains.filter(({ ready }) => !ready).map(({ name }) => name)
  const ready: Omit<BuiltinCondition, 'type'> =
    end !== undefined
      ? { status: 'False', reason: end.phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
      : unready.length === 0
        ? { status: 'True' }
        : {
            status: 'False',
            reason: 'ContainersNotReady',
            message: `containers with unready status: [${unready.join(' ')}]`,
          }
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !OURS.has(type))
  return [
    ...others,
    { type: 'PodScheduled', status: 'True' },
    isInitialized
      ? { type: 'Initialized', status: 'True' }
      : {
          type: 'Initialized',
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${inits.flatMap(({ name, ready }) => (ready ? [] : [name])).join(' ')}]`,
        },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
  ]
}

const OURS = new Set(['PodScheduled', 'Initialized', 'Ready', 'ContainersReady'])

function keepTime(condition: BuiltinCondition, before: PodStatus | undefined, now: Date): BuiltinCondition {
  const old = before?.conditions?.find(({ type }) => type === condition.type)
  const isSame = old?.status === condition.status && old.lastTransitionTime !== undefined
  return { ...condition, lastTransitionTime: isSame ? old.lastTransitionTime : toTime(now) }
}

/** metav1.Time has whole seconds: a server would cut the rest off, and each write would then differ from what is read. */
export function toTime(at: Date): string {
  return toSeconds(at.toISOString())
}

function toSeconds(instant: string): string {
  return instant.replace(/\.\d+Z$/, 'Z')
}
