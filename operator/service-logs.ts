/** The logs of services, which are gone with their pod: their ends are kept beside what the agent printed. */
import { executionPath, EXECUTION_FILES } from '../core/execution/layout.ts'
import type { Pod } from '../kube/builtin.ts'
import { readServiceLogs } from '../kube/service-logs.ts'
import { ifThere, isOutOfSpace, safeJoin, writeFileUnsynced } from '../lib/files.ts'
import type { OperatorContext } from './context.ts'

/**
 * Keeps what the services of an execution have printed until now. What cannot be read or written is logged: no execution
 * goes on for it.
 *
 * @throws as {@link OperatorContext.onVolume} does
 */
export async function keepServiceLogs(
  { client, clock, logger, settings, onVolume }: OperatorContext,
  { execution, pod }: { readonly execution: string; readonly pod: Pod },
): Promise<void> {
  const logs = await readServiceLogs({ client, clock }, pod)
  for (const { name, problem } of logs)
    if (problem !== undefined) logger.warn({ execution, service: name, problem }, 'the log of a service is not whole')
  // Where the pod is gone by now, an earlier look may have kept more.
  if (logs.every(({ log }) => log === '')) return
  const path = `${executionPath(execution)}/${EXECUTION_FILES.services}`
  await onVolume({ kind: 'write', path }, async () => {
    try {
      await ifThere(writeFileUnsynced(safeJoin(settings.volumeRoot, path), JSON.stringify(logs)))
    } catch (error) {
      if (!isOutOfSpace(error)) throw error
      logger.warn({ error, execution }, 'the logs of services cannot be kept')
    }
  })
}
