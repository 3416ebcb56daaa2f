/**
 * Clones with fewer commits or objects than their repository. An agent works in them as they are. deliver, which compares and
 * pushes whole histories, fetches from the remote what they lack, since it has the credentials for that.
 */
import { appendFile, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { ifThere, readNames } from '../../lib/files.ts'
import { git } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { openGitAccess } from './access.ts'
import { refuseShallow } from './clone-remote.ts'

/** What git-clone(1) is told of `depth` and `filter`. */
export function partialOptions({ checkout: { depth, filter } = {} }: RunSpec): string[] {
  // A depth alone would leave out all branches but the default one.
  const shallow = depth === undefined ? [] : [`--depth=${depth}`, '--no-single-branch']
  return [...shallow, ...(filter === undefined ? [] : [`--filter=${filter}`])]
}

/** Whether a clone says that it lacks commits or objects; an agent can say so too, which only makes deliver fetch. */
export async function isPartial(clone: string): Promise<boolean> {
  const none = ['ENOENT', 'ENOTDIR', 'ELOOP']
  if ((await ifThere(lstat(join(clone, '.git', 'shallow')), ...none)) !== undefined) return true
  const packs = (await ifThere(readNames(join(clone, '.git', 'objects', 'pack')), ...none)) ?? []
  return packs.some((name) => name.endsWith('.promisor'))
}

/** Lets the view of a clone, which is at `head`, see all that the branches of the remote have. @throws GitFailed */
export async function completeView(
  context: StepContext,
  { view, head }: { readonly view: string; readonly head: string },
  signal: AbortSignal,
): Promise<void> {
  const { url, options } = await openGitAccess(context)
  const gitDir = join(context.tmp, 'whole.git')
  await initBare(gitDir, head, signal)
  context.say('fetching the history that the clone leaves out')
  const what = ['--quiet', '--no-tags', '--no-write-fetch-head', '--', url, '+refs/heads/*:refs/heads/*']
  refuseShallow(await git(['fetch', ...what], { ...options, gitDir, signal }), url)
  await appendFile(join(view, 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`)
}
