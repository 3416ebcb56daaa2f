import type { Project, Task } from '../../core/rest/client/client.ts'
import { shortCommit } from '../../core/text.ts'
import { showUnseen } from './hostile-text.ts'

/** What a comparison of work with what is deployed came to; the commit is empty where it is not known. */
type Deployed = Pick<NonNullable<Task['deployment_status']>, 'deployed_commit' | 'includes_fix'>

/**
 * Whether work of the project is compared with what the project deploys. Without an address of its own it is compared
 * with Slipway's build, which tells something of work on Slipway alone.
 */
export function hasDeployment(project: Project | null | undefined): boolean {
  return project?.deployment?.commit_url !== undefined
}

/** @param commits how many there are, where the work is more than one task */
export function deployedWords({ deployed_commit, includes_fix }: Deployed, commits?: number): string {
  if (deployed_commit === '') return 'not known'
  const commit = showUnseen(shortCommit(deployed_commit))
  if (!includes_fix) return `not in ${commit}`
  if (commits === undefined) return `yes, in ${commit}`
  return `yes: ${commits === 1 ? 'its commit' : `all ${commits} commits`} in ${commit}`
}
