import { type ConditionClaim, claimConditions, isObserved } from '../../core/conditions.ts'
import type { Project } from '../../core/crd/types.ts'
import { addMs } from '../../core/time.ts'
import type { Step } from '../action.ts'
import type { GitSource } from '../execution/git-source.ts'

/** Secrets are not watched, so that the operator needs no right to list them all: one that comes is noticed then. */
const RECHECK_MS = 60_000

/** Everything that the next step of one project depends on. */
export interface ObservedProject {
  readonly now: Date
  readonly project: Project
  /** What a task of the project would clone from. */
  readonly git: GitSource
}

/** Says in a project's condition whether its tasks could be started, and why not. */
export function reconcileProject({ now, project, git }: ObservedProject): Step {
  const claim = claimReady(git)
  const [before] = project.status?.conditions ?? []
  const isSame = before?.status === claim.status && before.message === claim.message && isObserved(project)
  const requeueAt = git.kind === 'refused' ? addMs(now, RECHECK_MS) : undefined
  if (isSame) return { actions: [], requeueAt }
  const status = { ...project.status, ...claimConditions(project, [claim], now) }
  return { actions: [{ kind: 'writeProject', project, status }], requeueAt }
}

function claimReady(git: GitSource): ConditionClaim {
  if (git.kind === 'usable') {
    const who = git.secret === undefined ? 'without a Secret' : `with Secret ${git.secret.name}`
    return { type: 'Ready', status: 'True', reason: 'Usable', message: `tasks clone it ${who}` }
  }
  return { type: 'Ready', status: 'False', reason: 'Unusable', message: git.error.message }
}
