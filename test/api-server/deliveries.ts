/** The operator as far as deliveries go, played by the tests: it sees one, and ends it as it is told. */
import type { Execution, ExecutionStatus } from '../../core/crd/types.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { EXECUTIONS } from '../../kube/resources.ts'
import { until } from '../helpers/until.ts'
import type { Rig } from './rig.ts'
import { text } from '../helpers/build.ts'

/** A commit that a branch is made at. */
export const HEAD = '0123456789abcdef0123456789abcdef01234567'

type Target = Pick<Rig, 'client' | 'namespace' | 'setStatus'>

/** The delivery that nobody has ended yet. */
export async function nextDelivery({ client, namespace }: Target): Promise<Execution> {
  let found: Execution | undefined
  await until('a delivery is asked for', async () => {
    const { items } = await client.list(EXECUTIONS, { namespace })
    found = items.find((execution) => execution.spec.purpose === 'Deliver' && !isTerminal(execution))
    return found !== undefined
  })
  if (found === undefined) throw new Error('no delivery')
  return found
}

/** Ends the next delivery; as one that succeeded, unless told otherwise. */
export async function endDelivery(rig: Target, status: ExecutionStatus = MADE): Promise<Execution> {
  const execution = await nextDelivery(rig)
  await rig.setStatus(EXECUTIONS, execution.metadata.name, { finishedAt: '2026-01-01T00:00:09Z', ...status })
  return execution
}

export const MADE: ExecutionStatus = { state: 'COMPLETED', delivered: { commit: HEAD } }

export const REFUSED: ExecutionStatus = {
  state: 'FAILED',
  error: { category: 'git', message: text('the remote refused the push: pre-receive hook declined') },
}
