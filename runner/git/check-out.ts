import { type GitOptions, git, GitFailed } from '../../lib/git.ts'

/** Git takes one by itself, and is bound by waiting for the disk as much as by unpacking (git-config(1), checkout.workers). */
const CHECKOUT_WORKERS = 4

/**
 * Runs `git checkout` in a repository where nothing is checked out.
 *
 * Git ends it with 0 though it could not write some of the files, as on a full disk (2.54 still does): an agent would
 * begin without them, and its work would remove them. What it says of them is a failure here.
 *
 * @throws GitFailed
 */
export async function checkOutFiles(args: readonly string[], options: GitOptions): Promise<void> {
  const config = [...(options.config ?? []), ['checkout.workers', String(CHECKOUT_WORKERS)] as const]
  const { stderr } = await git(['checkout', '--quiet', ...args], { ...options, config })
  if (/^error: /m.test(stderr)) throw new GitFailed('checkout', 1, stderr)
}
