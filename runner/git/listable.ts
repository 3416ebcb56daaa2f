import { formatSize } from '../../core/sentences/amounts.ts'
import { open } from 'node:fs/promises'
import { shortCommit } from '../../core/text.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { StepFailed } from '../failure.ts'
import { MAX_NAMES_BYTES } from '../limits.ts'

/**
 * Refuses a commit whose tree names more files than memory holds; a few nested trees of a few kB can. A listing streams
 * them, while a checkout, an index, a status or a diff holds them all, so this goes before each of those.
 *
 * @throws StepFailed
 */
export async function requireListable(options: GitOptions, commit: string): Promise<void> {
  const nowhere = await open('/dev/null', 'w')
  try {
    const names = ['ls-tree', '-r', '--name-only', '-z', commit]
    const { isCut } = await git(names, { ...options, output: nowhere, maxOutputBytes: MAX_NAMES_BYTES })
    if (!isCut) return
  } finally {
    await nowhere.close()
  }
  throw new StepFailed(
    'git',
    `commit ${shortCommit(commit)} holds too many files: their names alone exceed ${formatSize(MAX_NAMES_BYTES)}`,
  )
}
