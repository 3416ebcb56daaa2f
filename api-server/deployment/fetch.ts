/** How a mirror gets what its remote has. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { type GitSetting, git, withGitLimit, GitFailed, GitTimedOut } from '../../lib/git.ts'
import type { Logger } from '../../lib/log.ts'
import type { Remote } from './remote.ts'

export interface FetchOptions {
  /** The bare repository; made when it is needed. */
  readonly gitDir: string
  /** Where to fetch from, the first that works. Each may reject: see remote.ts. */
  readonly remotes: readonly (() => Promise<Remote>)[]
  /** Waits for a place among the fetches of all mirrors; the function it gives leaves again. */
  readonly enter: () => Promise<() => void>
  readonly stop: AbortSignal
  readonly clock: Clock
  readonly logger: Logger
}

const FETCH_LIMIT_MS = 120_000

/**
 * A partial fetch writes the remote into the configuration, as one that promises what is missing: every later question
 * about a commit that is not there would then go to the network by itself. A crash may have left it there.
 */
export async function forgetRemote(gitDir: string, signal: AbortSignal): Promise<void> {
  const file = join(gitDir, 'config')
  // To write it takes a lock, which another API server may hold; to read it takes none.
  if (!(await readFile(file, 'utf8')).includes('[remote "origin"]')) return
  const args = ['config', '--file', file, '--remove-section', 'remote.origin']
  await git(args, { signal, answers: [NO_SUCH_SECTION] })
}

const NO_SUCH_SECTION = 128

const REFS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'] as const

/** Fetches from the first remote that can be reached. @throws what the last one failed with */
export async function fetchFirst(options: FetchOptions): Promise<void> {
  const { remotes } = options
  for (const [i, toRemote] of remotes.entries()) {
    try {
      return await fetchFrom(options, await toRemote())
    } catch (error) {
      if (i === remotes.length - 1 || options.stop.aborted) throw error
    }
  }
}

async function fetchFrom({ gitDir, enter, stop, clock, logger }: FetchOptions, remote: Remote): Promise<void> {
  const config: GitSetting[] = [
    ['remote.origin.url', remote.url],
    // A pack for each fetch, however small, so that there is one number to look at (MAX_PACKS).
    ['fetch.unpackLimit', '1'],
    ...REFS.map((refs): GitSetting => ['remote.origin.fetch', refs]),
    ...(remote.options.config ?? []),
  ]
  const args = ['fetch', '--quiet', '--prune', '--no-auto-gc', '--no-write-fetch-head', '--filter=tree:0', 'origin']
  const leave = await enter()
  try {
    await withGitLimit(FETCH_LIMIT_MS, stop, clock, (signal) =>
      git(args, { ...remote.options, gitDir, config, signal }),
    )
    await packMirror(gitDir, logger, stop, clock)
  } finally {
    leave()
    if (!stop.aborted) await forgetRemote(gitDir, stop)
  }
}

/** As many as git itself lets be before it packs (gc.autoPackLimit): each fetch leaves a pack, and each new branch a file. */
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
