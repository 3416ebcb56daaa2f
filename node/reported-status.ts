/** What an earlier node has told the API of containers of which nothing is left on this machine; pure. */
import type { ContainerStatus, Pod } from '../kube/builtin.ts'
import type { ContainerRecord } from './pod.ts'

/**
 * What is known here, and the ends that the API was told for the rest: the API server lets no container that has ended
 * go back to waiting, and none that has ended may be started as if it never had been.
 */
export function withReportedEnds(
  pod: Pod,
  known: ReadonlyMap<string, ContainerRecord>,
): ReadonlyMap<string, ContainerRecord> {
  const told = statusesOf(pod).flatMap((status) => {
    const record = known.has(status.name) ? undefined : toRecord(status)
    return record === undefined ? [] : [[status.name, record] as const]
  })
  return told.length === 0 ? known : new Map([...known, ...told])
}

/** What the API was told of a container that runs; undefined: that it runs, it was not told. */
export function reportedRun(pod: Pod, container: string): NonNullable<ContainerStatus['state']>['running'] {
  return statusesOf(pod).find(({ name }) => name === container)?.state?.running
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

function toRecord({ state, restartCount }: ContainerStatus): ContainerRecord | undefined {
  if (state?.terminated === undefined) return undefined
  const { exitCode, startedAt, finishedAt, ...rest } = state.terminated
  const times = { ...(startedAt && { startedAt }), finishedAt: finishedAt ?? '' }
  return { restarts: restartCount, run: { kind: 'ended', exit: { exitCode, ...times, ...rest } } }
}
