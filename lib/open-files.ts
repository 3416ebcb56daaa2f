/** How many files and connections this process may hold open at a time (RLIMIT_NOFILE). */
import { readFileSync } from 'node:fs'
import { hasErrorCode } from './files.ts'

/** The soft limit, which Node has raised to the hard one. Undefined if there is none, or no /proc to read it from. */
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

/** A warning about a low limit, with the way out; undefined if it is high enough. */
export function describeFewFiles(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH) return undefined
  return `this process may hold ${limit} files and connections open, so few clients are served at a time: raise the limit to ${4 * ENOUGH} (ulimit -n, LimitNOFILE= of a systemd unit)`
}
