/** A run that ended without success: why, what it had done by then, and where that is. Pure. */
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { shellWord } from '../../core/shell.ts'

const FAILED: readonly Task['state'][] = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED']

/** Whether a run, or a task by its last one, ended without success; a cancelled one says why. */
export function hasFailed({ state, error }: Pick<Task, 'state' | 'error'>): boolean {
  return FAILED.includes(state) || (state === 'CANCELLED' && error !== undefined)
}

/** Whether the agent was started: before that there is neither a log nor a change. */
export function hasAgentBegun({ phases }: Pick<Execution, 'phases'>): boolean {
  return phases.some(({ name, started_at }) => name === 'agent' && started_at !== undefined)
}

/** What the run had done, where there is no diff that says it. */
export function doneWords(
  execution: (Pick<Execution, 'phases' | 'changes'> & Partial<Pick<Execution, 'purpose'>>) | undefined,
): string | undefined {
  if (execution?.purpose === 'prepare') return 'Nothing is kept of a setup that fails.'
  if (execution === undefined || !hasAgentBegun(execution)) return 'The agent had not begun: nothing was changed.'
  if ((execution.changes?.files ?? 0) > 0) return undefined
  return 'It had committed nothing.'
}

/** Where the chart mounts the data volume in the server's pod. */
const CHART_VOLUME = '/slipway/'

/** The clone that is kept until work is accepted. */
export interface Workspace {
  /** Where it lies on the machine of the server, or in its pod. */
  readonly folder: string
  /** Opens a shell there. */
  readonly command: string
}

/** Where the clone of a run is kept; undefined where there is none. */
export function findWorkspace(
  execution: Pick<Execution, 'phases' | 'sandbox_dir' | 'task_id'> | undefined,
  namespace: string | undefined,
): Workspace | undefined {
  const { sandbox_dir: sandbox, task_id } = execution ?? {}
  if (execution === undefined || sandbox === undefined || !hasAgentBegun(execution)) return undefined
  const folder = `${sandbox}/repo`
  // Git, even in a prompt, runs what the settings of a clone name: where other files are it needs the walls of the agent.
  if (!sandbox.startsWith(CHART_VOLUME))
    return task_id === undefined ? undefined : { folder, command: `slipway shell ${task_id}` }
  const go = shellWord(`cd ${shellWord(folder)} && exec sh`)
  return namespace === undefined
    ? undefined
    : { folder, command: `kubectl exec -it deploy/slipway-api-server -n ${namespace} -- sh -c ${go}` }
}
