import { LABELS, MANAGED_BY } from '../core/names.ts'
import { PODS } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Logger } from '../lib/log.ts'

/** A stop waits no longer for the answer, which is only for a message. */
const LIMIT_MS = 1000

/** Names of the tasks whose pods have not ended (of queries, the executions); none if the control plane does not answer. */
export async function findRunningTasks(client: KubeClient, namespace: string, logger: Logger): Promise<string[]> {
  const labelSelector = `${LABELS.managedBy}=${MANAGED_BY}`
  try {
    const { items } = await client.list(PODS, { namespace, labelSelector }, { signal: AbortSignal.timeout(LIMIT_MS) })
    const open = items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    const names = open.flatMap(({ metadata: { labels = {} } }) => labels[LABELS.task] ?? labels[LABELS.execution] ?? [])
    return [...new Set(names)].sort()
  } catch (error) {
    logger.debug({ error }, 'cannot find out what is still running')
    return []
  }
}

/** The message for a person whose server stops while agents are running. */
export function formatStillRunningMessage(names: readonly string[]): string {
  if (names.length === 0) return 'stopping …'
  const [what, goes] = names.length === 1 ? ['The agent', 'goes'] : ['The agents', 'go']
  return [
    `stopping … ${what} of ${names.join(', ')} ${goes} on without this server, and may go on spending.`,
    'Start it again to follow, or to end what runs: slipway cancel <task>',
  ].join('\n')
}
