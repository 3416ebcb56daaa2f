import { Type } from 'typebox'
import { CheckVerdict } from '../../core/execution/checks.ts'
import { findCheck, RUN_SPEC_VARIABLE, STEPS } from '../../core/execution/steps.ts'
import type { Execution } from '../../core/crd/types.ts'
import type { PodFacts, StepFacts, TerminationMessage } from '../../core/execution/outcome.ts'
import { readPrepareMessage, TERMINATION_MESSAGE_BYTES } from '../../core/execution/termination.ts'
import { asRecord, parseJson } from '../../core/json.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import { readServices } from './services.ts'
import type { BuiltinCondition, Container, ContainerStatus, EnvVar, Job, Pod } from '../../kube/builtin.ts'
import { compileCheck } from '../../lib/validate.ts'

/** Reads a short result out of a termination message; undefined for anything else. */
export type ReadTerminationMessage = (text: string | undefined) => TerminationMessage | undefined

/** Name of the container that puts the runner within reach of an image of others. */
export const COPY_RUNNER = 'copy-runner'

/** What a Pod says about the steps of an execution. */
export function readPod(pod: Pod, readTerminationMessage: ReadTerminationMessage): PodFacts {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const steps = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap((container): StepFacts[] => {
    const status = statuses.find(({ name }) => name === container.name)
    const check = findCheck(container.name)
    if (check !== undefined) return [readCheck(container, check, status)]
    const name = STEPS.find((step) => step === container.name)
    if (name === undefined) return []
    return [status === undefined ? { name, phase: 'waiting' } : readStep(name, status, readTerminationMessage)]
  })
  const { phase, reason, message, conditions = [] } = pod.status ?? {}
  const told = conditions.find(isDisruption) ?? conditions.find(isUnscheduled)
  const hasForeignImage = pod.spec.initContainers?.some(({ name }) => name === COPY_RUNNER) === true
  return {
    name: pod.metadata.name,
    phase: phase ?? 'Pending',
    reason: reason ?? told?.reason,
    message: message ?? told?.message,
    ...(pod.metadata.deletionTimestamp === undefined ? {} : { isDeleted: true }),
    steps,
    services: readServices(pod),
    hasForeignImage,
  }
}

/** What stops a pod says so here before the pod ends: an eviction, a taint of its node, a preemption. */
function isDisruption({ type, status }: BuiltinCondition): boolean {
  return type === 'DisruptionTarget' && status === 'True'
}

function isUnscheduled({ type, status }: BuiltinCondition): boolean {
  return type === 'PodScheduled' && status === 'False'
}

/**
 * Whether the last step has ended and a container that is none of ours keeps the pod running, such as the proxy of a
 * mesh or a service that is slow to stop. Its own end alone says nothing: the pod's follows within moments.
 */
export function isHeldByOthers({ status }: Pod): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const hasEnded = ({ state }: ContainerStatus): boolean => state?.terminated !== undefined
  const isLast = ({ name }: ContainerStatus): boolean => name === STEPS.at(-1)
  return (
    containers.some((one) => isLast(one) && hasEnded(one)) && containers.some((one) => !isLast(one) && !hasEnded(one))
  )
}

/** The spec of its container says what it is; what ran in it says how it ended, and nothing else is read of that. */
function readCheck({ env = [] }: Container, name: string, status: ContainerStatus | undefined): StepFacts {
  const step = status === undefined ? ({ name: 'check', phase: 'waiting' } as const) : readStep('check', status, ignore)
  const { round, list } = asRecord(readTold(env)['checks'])
  const { required } = asRecord(Array.isArray(list) ? list[0] : undefined)
  const verdict = checkVerdict(step.exitCode === 0 ? parseShort(status?.state?.terminated?.message) : undefined)
  return {
    ...step,
    check: {
      name,
      required: required !== false,
      round: typeof round === 'number' ? round : 1,
      ...(verdict.ok ? { verdict: verdict.value } : {}),
    },
  }
}

/** What the runner of a container is told. */
function readTold(env: readonly EnvVar[]): Readonly<Record<string, unknown>> {
  return asRecord(parseJson(env.find(({ name }) => name === RUN_SPEC_VARIABLE)?.value ?? ''))
}

/** Whether a Job goes on in the clone that was there when it was made, as its steps are told; else it makes one of its own. */
export function keepsClone({ spec }: Job): boolean {
  return spec.template.spec.containers.some(({ env = [] }) => readTold(env)['keepClone'] === true)
}

const ignore = (): undefined => undefined

const { state, exitCode, seconds, reason } = CheckVerdict.properties
const checkVerdict = compileCheck(Type.Object({ state, exitCode, seconds, reason }))

function parseShort(text: string | undefined): unknown {
  return text === undefined || text.length > TERMINATION_MESSAGE_BYTES ? undefined : parseJson(text)
}

function readStep(
  name: StepFacts['name'],
  status: ContainerStatus,
  readTerminationMessage: ReadTerminationMessage,
): StepFacts {
  const { terminated, running, waiting } = status.state ?? {}
  if (terminated !== undefined) {
    const { exitCode, reason } = terminated
    const times = { startedAt: terminated.startedAt ?? undefined, finishedAt: terminated.finishedAt ?? undefined }
    const message = readTerminationMessage(terminated.message)
    // Not a result: what the runtime says, or the end of the log (`FallbackToLogsOnError`).
    const lastWords = message === undefined ? terminated.message : undefined
    const report = name === 'prepare' ? { report: readPrepareMessage(terminated.message) } : {}
    return { name, phase: 'ended', exitCode, reason, ...times, message, lastWords, ...report }
  }
  if (running !== undefined) return { name, phase: 'running', startedAt: running.startedAt }
  return { name, phase: 'waiting', reason: waiting?.reason, lastWords: waiting?.message }
}

/** Whether a Job was made for that execution, and not for a deleted one of its name. */
export function isMadeFor(job: Job | undefined, { metadata: { uid } }: Execution): boolean {
  return job?.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
}

/** Reason of a Job's Failed condition. */
export function jobFailure(job: Job | undefined): string | undefined {
  return job?.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True')?.reason
}

/** A Job has its pod within a second; one that has none by then is asked for its Events (specification §7.4). */
export const POD_LIMIT_MS = 15_000

/** From when on a Job without a pod is asked why; undefined while it is suspended, as Kueue does with Jobs that wait. */
export function findPodExpectedBy({ spec, status, metadata }: Job): Date | undefined {
  const since = status?.startTime ?? metadata.creationTimestamp
  return spec.suspend === true || since === undefined ? undefined : addMs(parseTimestamp(since), POD_LIMIT_MS)
}
