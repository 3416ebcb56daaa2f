/** Questions to a mirror: a bare repository of our own, whose configuration nobody else writes. */
import { git } from '../../lib/git.ts'

/** A question takes milliseconds; a mirror that takes longer is not worth the wait. */
const TIMEOUT_MS = 10_000

/**
 * Which of these commits the mirror has.
 *
 * @throws GitFailed when it is no repository
 */
export async function findPresent(gitDir: string, commits: readonly string[], stop: AbortSignal): Promise<Set<string>> {
  const input = commits.map((commit) => `${commit}\n`).join('')
  const { stdout } = await git(['cat-file', '--batch-check=%(objecttype)'], { gitDir, input, signal: limited(stop) })
  // One line for each, in their order: the type, or the name again and `missing`.
  const types = stdout.toString('latin1').split('\n')
  return new Set(commits.filter((_, i) => types[i] === 'commit'))
}

/** Whether `commit` is contained in `descendant`, or the same. @throws GitFailed when the mirror has not both */
export async function isAncestor(
  gitDir: string,
  commit: string,
  descendant: string,
  stop: AbortSignal,
): Promise<boolean> {
  const options = { gitDir, answers: [1], signal: limited(stop) }
  const { exitCode } = await git(['merge-base', '--is-ancestor', commit, descendant], options)
  return exitCode === 0
}

function limited(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)])
}
