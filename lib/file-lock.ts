/**
 * Locks of files between processes, by flock(2).
 *
 * Node has no call for it, so util-linux's `flock` takes the lock on a descriptor that it inherits. The lock belongs to
 * the open file and not to a process: it stays when that program ends, and it is free when we close the file or die,
 * also by SIGKILL. Node opens files so that no other program that we start inherits them.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { hasErrorCode, ifThere } from './files.ts'

/** The lock cannot be had, however long one waits; the message says why. */
export class LockFailed extends Error {
  readonly code = 'LOCK_FAILED'
  override readonly name = 'LockFailed'
}

/**
 * Calls `work` while no other process holds the lock of the file `path`, which is made if it is missing; its folder must
 * be there. Whoever removes the file must hold its lock.
 *
 * @param onWait called when somebody else holds the lock
 * @throws the signal's reason when it is aborted before the lock is ours; LockFailed; the system's error; what `work` throws
 */
export async function withFileLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    const file = await openLock(path)
    try {
      if (!(await tryLock(file, signal, '-n'))) {
        onWait()
        await tryLock(file, signal)
      }
      if (await isStillThere(path, file)) return await work()
    } finally {
      await file.close()
    }
  }
}

async function openLock(path: string): Promise<FileHandle> {
  // For writing: NFS locks no file exclusively that is open only for reading.
  return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}

/** False: somebody else holds it; that is only with `-n`. */
async function tryLock(file: FileHandle, signal: AbortSignal, ...how: '-n'[]): Promise<boolean> {
  const child = spawn('flock', ['-x', ...how, '3'], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe', file.fd],
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  const errors: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
  try {
    const [code] = await once(child, 'close')
    signal.throwIfAborted()
    if (code === 1 && how.length > 0) return false
    if (code !== 0) throw new LockFailed(`flock failed: ${Buffer.concat(errors).toString('utf8').trim() || code}`)
    return true
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    throw new LockFailed('flock is not installed: install util-linux in the image of this step, or on this machine', {
      cause: error,
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Whoever held the lock before us may have removed the file, and another one may have made it anew. */
async function isStillThere(path: string, file: FileHandle): Promise<boolean> {
  const [ours, there] = [await file.stat(), await ifThere(stat(path))]
  return ours.dev === there?.dev && ours.ino === there.ino
}
