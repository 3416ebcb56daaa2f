import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../../lib/files.ts'
import { type GitOutput, git } from '../../lib/git.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'

/**
 * Sends what a local repository has packed as it is, and the rest whole: the search for deltas among loose objects takes
 * longer than all else of such a clone, and saves only disk. A server has its objects packed.
 */
const LOCAL_UPLOAD_PACK = 'git -c pack.window=0 upload-pack'

/** Which repository is cloned, where to, and how. */
export interface CloneOrder {
  readonly source: Pick<GitAccess, 'url' | 'isLocal' | 'options'>
  readonly folder: string
  /** Options of git-clone(1). */
  readonly how: readonly string[]
}

/** Clones a repository, without a look at the object files of a local one. @throws GitFailed; StepFailed for a shallow one */
export async function cloneRemote({ source, folder, how }: CloneOrder, signal: AbortSignal): Promise<void> {
  // Otherwise git would link or copy all object files of a local repository, also those that no branch reaches.
  const local = source.isLocal ? ['--no-local', '--upload-pack', LOCAL_UPLOAD_PACK] : []
  const args = ['clone', '--quiet', '--template=', ...how, ...local, '--', source.url, folder]
  // A user's own git may name remotes otherwise. An option for that would be refused for bare repositories by older gits.
  const config = [...(source.options.config ?? []), ['clone.defaultRemoteName', 'origin'] as const]
  await git(args, { ...source.options, config, signal })
  const isAskedFor = how.some((option) => option.startsWith('--depth='))
  const found = ['shallow', '.git/shallow'].map((file) => ifThere(lstat(join(folder, file))))
  if (!isAskedFor && (await Promise.all(found)).some((stat) => stat !== undefined)) throw shallowRemote(source.url)
}

/** Refuses what a fetch has left out since the history of the remote itself is cut off. @throws StepFailed */
export function refuseShallow({ stderr }: Pick<GitOutput, 'stderr'>, url: string): void {
  if (/^warning: rejected .* shallow roots/m.test(stderr)) throw shallowRemote(url)
}

function shallowRemote(url: string): StepFailed {
  return new StepFailed(
    'git',
    `repository ${url} is a shallow clone (git clone --depth), or one of its branches is, so its history cannot be compared: complete it with git fetch --unshallow, or name the repository that it was cloned from; then run the task again`,
  )
}
