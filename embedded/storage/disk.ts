import { open } from 'lmdb'
import type { Engine } from './backend.ts'

/** Sorts before every resource's prefix and belongs to none. */
const REVISION_KEY = '!revision'

/**
 * An engine on one lmdb file: memory-mapped synchronous reads, and commits that share a sync when they come together.
 *
 * With overlapping syncs (lmdb's default on Linux) a committed put is visible before it is on disk; `flushed`
 * is what makes it durable (measured with kill -9 and strace, lmdb 3.5).
 */
export function openDiskEngine(file: string): Engine {
  const db = open<string, string>({
    path: file,
    noSubdir: true,
    encoding: 'string',
    compression: true,
    // Each commit is a batch of its own. The batch that lmdb 3.5 would put around an event turn has a promise that
    // nobody can reach: on a full disk its rejection would end the process.
    eventTurnBatching: false,
  })
  let revision = Number(db.get(REVISION_KEY) ?? 0)
  return {
    get revision() {
      return revision
    },
    get: (key) => db.get(key),
    range: (start, end) => db.getRange({ start, end }),
    count: (start, end) => db.getKeysCount({ start, end }),
    async commit(newRevision, writes) {
      const parts: Promise<unknown>[] = []
      const batch = db.batch(() => {
        for (const { key, value } of writes) parts.push(value === undefined ? db.remove(key) : db.put(key, value))
        parts.push(db.put(REVISION_KEY, String(newRevision)))
      })
      // A failed commit rejects each part too, and one that nobody awaits would end the process.
      await Promise.all([batch, ...parts]).catch(throwCause)
      await db.flushed
      revision = newRevision
    },
    close: () => db.close(),
  }
}

/** lmdb's error only says that there was one; what went wrong is a promise in it, which rejects. */
async function throwCause(error: unknown): Promise<never> {
  if (error instanceof Error && 'commitError' in error) await error.commitError
  throw error
}
