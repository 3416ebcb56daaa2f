/** How many files and connections this process may hold open at a time (RLIMIT_NOFILE). */
import { readFileSync } from 'node:fs'
import { hasErrorCode } from './files.ts'

/** Node raises the soft limit to the hard one itself. Undefined where there is none, or no /proc that tells. */
export function findOpenFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES')) return undefined
    throw error
  }
}

/** A server with its store, its Jobs and a few clients. */
const ENOUGH = 1024

/** What a person is told of a limit that is low; undefined for others. */
export function describeFewFiles(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH) return undefined
  return `this process may hold ${limit} files and connections open, so few clients are served at a time: raise the limit to ${4 * ENOUGH} (ulimit -n, LimitNOFILE= of a systemd unit)`
}
