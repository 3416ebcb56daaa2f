import { type ConditionClaim, claimConditions, isObserved, sayTheSame } from '../../core/conditions.ts'
import type { Project, ProjectStatus } from '../../core/crd/types.ts'
import { isSame } from '../../core/json.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { addMs } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import type { GitSource } from '../execution/git-source.ts'
import { servicesProblem } from '../execution/services.ts'
import { isRefusalShown } from '../refused.ts'
import { type ObservedEnvironments, reconcileEnvironments } from './environments.ts'

/** Secrets are not watched, so that the operator needs no right to list them all: one that comes is noticed then. */
const RECHECK_MS = 60_000

/** Everything that the next step of one project depends on. */
export interface ObservedProject {
  readonly now: Date
  readonly project: Project
  /** What a task of the project would clone from. */
  readonly git: GitSource
  readonly isEmbedded: boolean
  /** Absent where there are no environments. */
  readonly environments?: ObservedEnvironments | undefined
  /** At the top of the default branch, as an execution saw it last; absent: none has told. */
  readonly lockFiles?: readonly string[] | undefined
}

/** Says in a project's condition whether its tasks could be started, and why not; keeps what they find prepared. */
export function reconcileProject(seen: ObservedProject): Step {
  const { now, project, git, isEmbedded, environments, lockFiles } = seen
  const problem = servicesProblem(project, isEmbedded)
  const claims = problem === undefined ? [claimReady(git)] : claimStalled(problem)
  const claimed = claimConditions(project, claims, now)
  const isSaid = sayTheSame(project.status?.conditions, claimed.conditions) && isObserved(project)
  const isTold = isSaid || isRefusalShown(project.status)
  const requeueAt = git.kind === 'refused' ? addMs(now, RECHECK_MS) : undefined
  const prepared = environments && reconcileEnvironments(project, environments, now)
  const status: ProjectStatus = {
    ...project.status,
    ...(isTold ? {} : claimed),
    ...prepared?.status,
    ...withoutAbsent({ lockFiles }),
  }
  const write: Action[] = isSame(status, project.status ?? {}) ? [] : [{ kind: 'writeProject', project, status }]
  return { actions: [...write, ...tellFailures(project, status), ...(prepared?.actions ?? [])], requeueAt }
}

/** A setup that has failed is told on its project, once. */
function tellFailures(project: Project, { environments = [] }: ProjectStatus): Action[] {
  const wasBuilding = new Set(
    project.status?.environments?.flatMap(({ execution, state }) => (state === 'Building' ? [execution] : [])),
  )
  return environments
    .filter(({ execution, state }) => state === 'Failed' && wasBuilding.has(execution))
    .map(({ execution, message = '' }) =>
      recordEvent(project, 'Warning', 'EnvironmentFailed', `the setup of environment ${execution} failed: ${message}`),
    )
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
