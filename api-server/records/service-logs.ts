/** What the services beside an agent printed: from the data volume once the operator has kept it, else from their pod. */
import { Type } from 'typebox'
import type { Execution } from '../../core/crd/types.ts'
import { MAX_SERVICE_LOGS_BYTES } from '../../core/execution/services.ts'
import { parseJson } from '../../core/json.ts'
import { ServiceLogRecord } from '../../core/rest/records/execution.ts'
import { PODS } from '../../kube/resources.ts'
import { readServiceLogs } from '../../kube/service-logs.ts'
import { ifPlain, readRegularNoFollow } from '../../lib/files.ts'
import { compileCheck } from '../../lib/validate.ts'
import type { ApiContext } from '../context.ts'
import { executionFile } from './stored-files.ts'

const checkKept = compileCheck(Type.Array(ServiceLogRecord))

/** @throws KubeError when the pod cannot be read; the signal's reason */
export async function findServiceLogs(
  { client, clock, namespace, volumeRoot }: Pick<ApiContext, 'client' | 'clock' | 'namespace'> & { volumeRoot: string },
  { metadata, status }: Execution,
  signal: AbortSignal,
): Promise<ServiceLogRecord[]> {
  const path = executionFile(metadata.name, 'services')
  const kept = await ifPlain(readRegularNoFollow(volumeRoot, path, MAX_SERVICE_LOGS_BYTES))
  const checked = kept === undefined ? undefined : checkKept(parseJson(kept.toString('utf8')))
  if (checked?.ok === true) return checked.value
  const name = status?.pod?.name
  const pod = name === undefined ? undefined : await client.find(PODS, { namespace, name }, { signal })
  return pod === undefined ? [] : readServiceLogs({ client, clock, signal }, pod)
}
