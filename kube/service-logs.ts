/** The logs of the services beside an agent, which only the kubelet has, and only while the pod is there. */
import { findService, SERVICE_LOG_LIMITS, serviceContainer } from '../core/execution/services.ts'
import type { ServiceLogRecord } from '../core/rest/records/execution.ts'
import type { Clock } from '../lib/clock.ts'
import type { ContainerStatus, Pod } from './builtin.ts'
import type { KubeClient } from './types.ts'

/** A kubelet that does not answer keeps nobody waiting for longer. */
const LIMIT_MS = 5000

interface Reach {
  readonly client: Pick<KubeClient, 'podLog'>
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

/**
 * The end of each service's log, in the order in which they start; of one that cannot be read, the reason.
 *
 * @throws the signal's reason
 */
export async function readServiceLogs(reach: Reach, pod: Pod): Promise<ServiceLogRecord[]> {
  const names = (pod.spec.initContainers ?? []).flatMap(({ name }) => findService(name) ?? [])
  return Promise.all(
    names.map(async (name) => {
      const status = pod.status?.initContainerStatuses?.find((one) => one.name === serviceContainer(name))
      return { name, ...(hasRun(status) ? await readOne(reach, pod, name) : { log: '' }) }
    }),
  )
}

/** Of a container that waits for its image there is no log to ask for. */
function hasRun(status: ContainerStatus | undefined): boolean {
  const { state, lastState } = status ?? {}
  return [state?.running, state?.terminated, lastState?.terminated].some((one) => one !== undefined)
}

async function readOne(
  { client, clock, signal }: Reach,
  { metadata: { name, namespace } }: Pod,
  service: string,
): Promise<Omit<ServiceLogRecord, 'name'>> {
  const late = new AbortController()
  const stop = clock.schedule(LIMIT_MS, () => late.abort())
  const ended = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])])
  const chunks: Uint8Array[] = []
  const take = (problem?: string) => ({
    log: Buffer.concat(chunks).toString('utf8'),
    ...(problem !== undefined && { problem }),
  })
  try {
    const options = { container: serviceContainer(service), ...SERVICE_LOG_LIMITS }
    for await (const chunk of client.podLog({ namespace, name }, options, ended)) chunks.push(chunk)
    signal?.throwIfAborted()
    return late.signal.aborted ? take(`its node did not answer within ${LIMIT_MS / 1000} seconds`) : take()
  } catch (error) {
    // Nobody needs a log so much that an execution may not end without it.
    if (!(error instanceof Error) || signal?.aborted === true) throw error
    return take(error.message)
  } finally {
    stop()
  }
}
