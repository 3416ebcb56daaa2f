import { countOf, listOf } from '../../core/sentences/amounts.ts'
import { shortCommit } from '../../core/text.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { splitZero } from './clone-git.ts'

/** Folders that a message names. */
const NAMED = 5

/**
 * Limits a clone, before its first checkout, to the folders that the project names, and to the files at the top and on the
 * way (git-sparse-checkout(1), cone mode). The log names those that the commit does not have.
 */
export async function limitToFolders(
  { run, say }: Pick<StepContext, 'run' | 'say'>,
  options: GitOptions,
  commit: string,
): Promise<void> {
  const folders = run.checkout?.sparse ?? []
  if (folders.length === 0) return
  await git(['sparse-checkout', 'set', '--cone', '--stdin'], {
    ...options,
    input: folders.map((one) => `${one}\n`).join(''),
  })
  const { stdout } = await git(['ls-tree', '-d', '-z', '--name-only', commit, '--', ...folders], options)
  const there = new Set(splitZero(stdout).map((path) => Buffer.from(path, 'latin1').toString('utf8')))
  const missing = folders.filter((folder) => !there.has(folder))
  say(`checking out ${countOf(folders.length, 'folder')} alone`)
  if (missing.length > 0)
    say(`checkout.sparse names what ${shortCommit(commit)} has no folder of: ${listOf(missing, { most: NAMED })}`)
}
