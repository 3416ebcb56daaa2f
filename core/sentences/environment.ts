import { parseTimestamp } from '../time.ts'
import { formatAge, formatSize, formatSpan } from './amounts.ts'

/** What people read of what setups prepare. */

/** Why no setup runs where executions are plain processes. */
export const NO_ENVIRONMENTS =
  'executions run as plain processes here, which have no environments: nothing would keep one task from changing what the next one gets'

/** Why a proposal is worth reading. */
export function proposalReason(lockFiles: readonly string[]): string {
  const files = lockFiles.join(', ')
  return `Each agent begins without the dependencies of ${files === '' ? 'the repository' : files}. This setup installs them once for all tasks, and again when ${lockFiles.length === 1 ? 'that file changes' : 'one of the files changes'}.`
}

/** What stands where nothing is proposed. @param lockFiles undefined: no task has looked yet */
export function noProposalWords(lockFiles: readonly string[] | undefined): string {
  return lockFiles === undefined
    ? 'Agents begin with a bare clone. After the first task, what its lock files tell is proposed here.'
    : 'Agents begin with a bare clone, and no lock file at the top of the repository tells what to prepare.'
}

/** An environment as REST tells of it. */
interface Prepared {
  readonly state: 'building' | 'ready' | 'failed'
  readonly only_for?: { readonly task_id?: string | undefined; readonly story_id?: string | undefined } | undefined
  readonly bytes?: number | undefined
  readonly seconds?: number | undefined
}

export const ENVIRONMENT_STATE_LABELS: Readonly<Record<Prepared['state'], string>> = {
  building: 'Being built',
  ready: 'Ready',
  failed: 'Failed',
}

/** Whom an environment is for. */
export function environmentUsers({ only_for: { task_id, story_id } = {} }: Prepared): string {
  if (task_id !== undefined) return `task ${task_id} alone`
  return story_id === undefined ? 'all tasks' : `story ${story_id} alone`
}

/** What an environment takes on the data volume, and for how long its setup ran: `140 MB, 12s`; "" while neither is known. */
export function environmentCosts({ state, bytes, seconds }: Prepared): string {
  const parts = [
    bytes === undefined ? [] : [formatSize(bytes)],
    seconds === undefined ? [] : [`${state === 'failed' ? 'took' : 'built in'} ${formatSpan(seconds * 1000)}`],
  ]
  return parts.flat().join(', ')
}

const HOUR_MS = 3_600_000

/** When an environment was last used, which is noted to the hour. */
export function lastUse(usedAt: string, nowMs: number): string {
  const ms = nowMs - parseTimestamp(usedAt).getTime()
  return ms < HOUR_MS ? '< 1h' : formatAge(ms)
}

/** What all environments of a project take together. */
export function environmentsTotal(environments: readonly Prepared[]): string {
  return formatSize(environments.reduce((sum, { bytes = 0 }) => sum + bytes, 0))
}
