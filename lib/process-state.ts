/**
 * What the kernel tells of one process. A pid alone is never proof of identity, because the kernel gives it out again:
 * whoever stores one stores the process's start time with it.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { hasErrorCode } from './files.ts'

/** Fields of /proc/<pid>/stat (proc(5)). */
export interface ProcessStat {
  /** Ended, and only not yet waited for by its parent: it runs nothing, holds nothing, and takes no signal. */
  readonly isDead: boolean
  readonly pgid: number
  /** The session, which has its first process's pid. */
  readonly session: number
  /** In the kernel's ticks since boot; pid and start time together name one process for the time of one boot. */
  readonly startTime: string
}

/** Reads the line of /proc/<pid>/stat; undefined when it is not one. */
export function parseStat(text: string): ProcessStat | undefined {
  // The second field is the program's name in brackets and may itself hold blanks and brackets (proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, pgid, session, threads, startTime] = [fields[0], fields[2], fields[3], fields[17], fields[19]]
  if (state === undefined || pgid === undefined || startTime === undefined) return undefined
  // A process whose first thread alone has ended is shown as a zombie too, and its other threads go on.
  const isDead = (state === 'Z' || state === 'X') && !(Number(threads) > 1)
  return { isDead, pgid: Number(pgid), session: Number(session), startTime }
}

/** Undefined for a process that does not exist or may not be seen, and on a system without /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

/**
 * Whether a process is there that can hold something: it exists and is no zombie, which in a container whose first
 * process waits for nobody stays for ever.
 *
 * @param startTime of the process that is meant ({@link ProcessStat}); another one that has its pid now is not it
 */
export function isProcessAlive(pid: number, startTime?: string): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  const stat = readStat(pid)
  if (stat !== undefined) return !stat.isDead && (startTime === undefined || startTime === stat.startTime)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false
    // Not ours to signal, but there.
    if (hasErrorCode(error, 'EPERM')) return true
    throw error
  }
}
