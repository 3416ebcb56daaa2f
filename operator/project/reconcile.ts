import { type ConditionClaim, claimConditions, isObserved, sayTheSame } from '../../core/conditions.ts'
import type { Project } from '../../core/crd/types.ts'
import { addMs } from '../../core/time.ts'
import type { Step } from '../action.ts'
import type { GitSource } from '../execution/git-source.ts'
import { servicesProblem } from '../execution/services.ts'

/** Secrets are not watched, so that the operator needs no right to list them all: one that comes is noticed then. */
const RECHECK_MS = 60_000

/** Everything that the next step of one project depends on. */
export interface ObservedProject {
  readonly now: Date
  readonly project: Project
  /** What a task of the project would clone from. */
  readonly git: GitSource
  readonly isEmbedded: boolean
}

/** Says in a project's condition whether its tasks could be started, and why not. */
export function reconcileProject({ now, project, git, isEmbedded }: ObservedProject): Step {
  const problem = servicesProblem(project, isEmbedded)
  const claims = problem === undefined ? [claimReady(git)] : claimStalled(problem)
  const claimed = claimConditions(project, claims, now)
  const isSame = sayTheSame(project.status?.conditions, claimed.conditions) && isObserved(project)
  const requeueAt = git.kind === 'refused' ? addMs(now, RECHECK_MS) : undefined
  if (isSame) return { actions: [], requeueAt }
  const status = { ...project.status, ...claimed }
  return { actions: [{ kind: 'writeProject', project, status }], requeueAt }
}

/** Every execution that does a task's work would fail at once. */
function claimStalled(message: string): ConditionClaim[] {
  const reason = 'ServicesRefused'
  return [
    { type: 'Ready', status: 'False', reason, message },
    { type: 'Stalled', status: 'True', reason, message },
  ]
}

function claimReady(git: GitSource): ConditionClaim {
  if (git.kind === 'usable') {
    const who = git.secret === undefined ? 'without a Secret' : `with Secret ${git.secret.name}`
    return { type: 'Ready', status: 'True', reason: 'Usable', message: `tasks clone it ${who}` }
  }
  return { type: 'Ready', status: 'False', reason: 'Unusable', message: git.error.message }
}
