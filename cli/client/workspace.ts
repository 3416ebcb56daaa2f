import { join } from 'node:path'
import type { Task } from '../../core/rest/client/client.ts'
import { UsageError } from '../command.ts'
import type { Session } from './session.ts'

/** Work under way: the agent alone writes there. */
const AT_WORK: readonly Task['state'][] = ['QUEUED', 'RUNNING']

/** Where a task works on this machine, as its server says; it may be gone. */
export interface TaskWorkspace {
  /** Absolute: the folder that holds clone and home. */
  readonly sandbox: string
  readonly clone: string
  readonly isAtWork: boolean
  readonly state: Task['state']
}

const ELSEWHERE =
  'where it is, with --server http://127.0.0.1:<port>. In a cluster the page of the run shows the command that reaches it'

/** @throws UsageError that begins with the name of the command, for a server elsewhere and a task without a workspace */
export async function findTaskWorkspace(
  { api, isLocal, server }: Session,
  { command, id }: { readonly command: string; readonly id: string },
  signal: AbortSignal,
): Promise<TaskWorkspace> {
  // The folder, and what is seen beside it, is what the server says.
  if (!isLocal)
    throw new UsageError(`${command}: ${server} is not on this machine; run slipway ${command} ${ELSEWHERE}`)
  const { state, execution_id } = await api.getTask({ params: { id } }, { signal })
  if (execution_id === undefined) throw new UsageError(`${command}: ${id} has not run yet: it is ${state}`)
  const { sandbox_dir: sandbox } = await api.getExecution({ params: { id: execution_id } }, { signal })
  if (sandbox === undefined) throw new UsageError(`${command}: ${id} has no workspace yet`)
  return { sandbox, clone: join(sandbox, 'repo'), isAtWork: AT_WORK.includes(state), state }
}
