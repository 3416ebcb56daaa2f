import { git } from '../lib/git.ts'

/** An ancestry question takes milliseconds; a repository that takes longer is not worth the wait. */
const PATIENCE_MS = 10_000

/**
 * Whether the repository at `path` knows both commits and `commit` is contained in `descendant`, or the same.
 *
 * @throws GitFailed when it is no repository
 */
export async function isAncestor(path: string, commit: string, descendant: string): Promise<boolean> {
  // Exit code 1 is "no"; 128 is also what git says of a commit that it does not have.
  const { exitCode } = await git(['merge-base', '--is-ancestor', commit, descendant], {
    cwd: path,
    answers: [1, 128],
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return exitCode === 0
}
