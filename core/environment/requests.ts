import type { PreparedEnvironment, Project, ProjectStatus } from '../crd/types.ts'
import { apiError } from '../errors.ts'
import { toTimestamp } from '../time.ts'

/**
 * The status of a project whose environment somebody wants to be built anew, whatever is there. Its controller does it.
 *
 * @throws ApiError `transition_refused` where nobody says how the project is prepared
 */
export function requestBuild({ metadata, spec, status = {} }: Project, now: Date): ProjectStatus {
  const { environments = [] } = status
  if (spec.environment === undefined && environments.length === 0)
    throw apiError(
      'transition_refused',
      `project ${metadata.name} has no environment: say how it is prepared in environment, or in .slipway/environment.yaml of its repository, which the next task reads`,
    )
  return { ...status, environmentRequestedAt: toTimestamp(now) }
}

/**
 * The status of a project without one of its environments. What is left of that on the data volume its controller removes.
 *
 * @throws ApiError `not_found`, and `transition_refused` while its setup runs
 */
export function withoutEnvironment({ status = {} }: Project, execution: string): ProjectStatus {
  const { environments = [] } = status
  const found = environments.find((one) => one.execution === execution)
  if (found === undefined) throw apiError('not_found', 'environment')
  if (found.state === 'Building')
    throw apiError('transition_refused', `environment ${execution} cannot be removed while its setup runs`)
  const left: readonly PreparedEnvironment[] = environments.filter((one) => one !== found)
  return { ...status, environments: left }
}
