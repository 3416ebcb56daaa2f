import { git } from '../lib/git.ts'
import type { CloneChanges } from './changes.ts'
import { StepFailed } from './failure.ts'
import type { GitAccess } from './git-access.ts'

/**
 * Pushes the clone's HEAD to the task's branch, never by force and never to the remote's default branch. With no
 * commit since the base there is nothing to push; a branch that is already there counts as pushed.
 *
 * @returns whether the remote's branch is at HEAD now.
 * @throws GitFailed when the remote refuses; StepFailed for the default branch.
 */
export async function push(
  access: GitAccess,
  { view, head, commits }: CloneChanges,
  branch: string,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { gitDir: view, ...access.options, signal }
  const ref = `refs/heads/${branch}`
  const listed = await git(['ls-remote', '--symref', '--', access.url, 'HEAD', ref], options)
  const remote = parseRemote(listed.stdout.toString('utf8'), ref)
  if (remote.commit === head) return true
  if (commits.length === 0) return false
  if (remote.defaultRef === ref)
    throw new StepFailed('git', `${branch} is the default branch of ${access.url}: work is never pushed there`)
  await git(['push', '--quiet', '--', access.url, `${head}:${ref}`], options)
  return true
}

interface RemoteState {
  readonly defaultRef?: string
  /** Where the branch is now. */
  readonly commit?: string
}

/** Reads the output of `git ls-remote --symref <url> HEAD <ref>`. */
export function parseRemote(output: string, ref: string): RemoteState {
  const rows = output.split('\n').map((line) => line.split('\t'))
  const defaultRef = rows.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: '))?.[0]?.slice(5)
  const commit = rows.find(([, name]) => name === ref)?.[0]
  return { ...(defaultRef === undefined ? {} : { defaultRef }), ...(commit === undefined ? {} : { commit }) }
}
