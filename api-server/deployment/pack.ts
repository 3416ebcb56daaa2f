/** Keeps the number of files in a mirror bounded: each fetch leaves a pack, and each new branch a file. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { GitSetting } from '../../lib/git.ts'
import { git, GitFailed, GitTimedOut, withGitLimit } from '../../lib/git.ts'
import type { Logger } from '../../lib/log.ts'

/** As many as git itself lets be before it packs (gc.autoPackLimit). */
export const MAX_PACKS = 50

/**
 * What a partial fetch leaves lacks trees, which is whole only where a remote promises them. The mirror's own configuration
 * names none, so that no question goes to the network (mirror.ts); packing does not ask for anything.
 */
const PROMISE: readonly GitSetting[] = [['remote.origin.promisor', 'true']]

const PACK_LIMIT_MS = 120_000

/**
 * Packs all objects of a mirror together once there are many packs, and its branches and tags with them. Objects that
 * nothing refers to stay: history that was pushed away by force is still known. A failure is logged, and the mirror goes
 * on as it is.
 */
export async function packMirror(
  gitDir: string,
  logger: Pick<Logger, 'warn'>,
  stop: AbortSignal,
  clock: Clock,
): Promise<void> {
  const packs = (await readdir(join(gitDir, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'))
  if (packs.length <= MAX_PACKS) return
  try {
    await withGitLimit(PACK_LIMIT_MS, stop, clock, async (signal) => {
      await git(['repack', '-a', '-d', '--keep-unreachable', '--quiet'], { gitDir, config: PROMISE, signal })
      await git(['pack-refs', '--all'], { gitDir, signal })
    })
  } catch (error) {
    if (!(error instanceof GitFailed || error instanceof GitTimedOut)) throw error
    logger.warn({ error, gitDir }, 'a mirror could not be packed')
  }
}
