import { git, GitFailed } from '../../lib/git.ts'
import { type RemoteBranches, parseRemote } from '../../lib/git-remote.ts'
import { findObstacle } from '../../core/story/branch-name.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'

/** How a push without an error ended: it is done, or the branch had moved before it. */
export type PushEnd = 'pushed' | 'moved'

/**
 * What git prints if somebody else has written the branch, before or while we pushed (git 2.34 to 2.5x). It stands at the
 * beginning of a line, because git prints the output of a hook after `remote:`.
 */
const MOVED =
  /^ ! \[(?:remote )?rejected\] .*\((?:fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|incorrect old value provided|reference already exists)/m

/** Lists the default branch and the named branches of the remote, and those in the way of them. @throws GitFailed */
export async function listRemoteBranches(
  access: GitAccess,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<RemoteBranches> {
  const refs = branches.flatMap(toPatterns)
  const { stdout } = await git(['ls-remote', '--symref', '--', access.url, 'HEAD', ...refs], {
    ...access.options,
    signal,
  })
  return parseRemote(stdout.toString('utf8'))
}

/** A branch, the names that it goes on from, and those that go on from it. */
function toPatterns(branch: string): string[] {
  const names = branch.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))
  return [...names, `${branch}/*`].map((name) => `refs/heads/${name}`)
}

/**
 * Refuses a branch that the remote cannot take, because it has one whose name goes on from this one's, or the other way
 * around.
 *
 * @throws StepFailed
 */
export function refuseObstacle(there: Iterable<string>, branch: string, url: string): void {
  const obstacle = findObstacle(branch, there)
  if (obstacle === undefined) return
  throw new StepFailed(
    'git',
    `branch ${obstacle} on ${url} is in the way of ${branch}: git takes only one of two names where one goes on from the other after a slash; rename or remove ${obstacle} there, or choose another branch for the story, or for a task without one another branchPrefix in the configuration`,
  )
}

/**
 * Pushes a commit to a branch. It never replaces a commit there, but the one that `lease` names.
 *
 * @throws GitFailed when the remote refuses for any other reason than that the branch has moved
 */
export async function pushCommit(
  access: GitAccess,
  { gitDir, commit, branch, lease }: Pushed,
  signal: AbortSignal,
): Promise<PushEnd> {
  const options = { gitDir, ...access.options, signal, answers: [1] }
  const target = `${commit}:refs/heads/${branch}`
  const force = lease === undefined ? [] : [`--force-with-lease=refs/heads/${branch}:${lease}`]
  const { exitCode, stderr } = await git(['push', '--quiet', ...force, '--', access.url, target], options)
  if (exitCode === 0) return 'pushed'
  if (MOVED.test(stderr)) return 'moved'
  throw new GitFailed('push', exitCode, stderr)
}

interface Pushed {
  readonly gitDir: string
  readonly commit: string
  readonly branch: string
  /** The only commit of the branch that may be replaced. */
  readonly lease?: string
}

/**
 * Refuses the remote's default branch, the project's and the one that the work is delivered to: work is never pushed there, whatever a story calls its branch.
 * Refuses what has an obstacle as well.
 *
 * @throws StepFailed
 */
export function refuseBranch(remote: RemoteBranches, branch: string, { url, own }: DefaultBranch): void {
  refuseObstacle(remote.commits.keys(), branch, url)
  if (remote.defaultBranch !== branch && !own.includes(branch)) return
  throw new StepFailed('git', `${branch} is the default branch of ${url}: work is never pushed there`)
}

interface DefaultBranch {
  readonly url: string
  /** Those that project and task name; without any the remote's alone counts. */
  readonly own: readonly (string | undefined)[]
}
