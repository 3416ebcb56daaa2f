/**
 * Copying trees that others may have a hand in, by `cp`: it clones blocks where the file system can, keeps holes, and
 * copies links as links.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { inFolderNoFollow } from './files.ts'

/** A tree was not copied whole; the message is what the program said last. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
  /** ENOSPC where the disk is full. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A folder below one that is trusted, by the names of those that lead to it. */
export interface FolderBelow {
  readonly root: string
  readonly segments: readonly string[]
}

/**
 * Copies what is in a folder into another that is there, with modes and times. The copy shares no file with what it is
 * made from, not even by a hard link, and has no file of another file system. No link is followed, neither in the folders nor on the
 * way to them.
 *
 * @throws UnsafePath for a link on the way, CopyFailed, the system's error (ENOENT), the signal's reason
 */
export async function copyTree(from: FolderBelow, to: FolderBelow, signal: AbortSignal): Promise<void> {
  await inFolderNoFollow(from.root, from.segments, (source) =>
    inFolderNoFollow(to.root, to.segments, async (target) => {
      // The program does not inherit the folder that the path of ours stands for.
      const folder = await open(target)
      try {
        await run('cp', [...HOW, '--', '.', `/proc/self/fd/${TARGET}`], { cwd: source, signal, target: folder.fd })
      } finally {
        await folder.close()
      }
    }),
  )
}

/** The descriptor of the folder that `cp` writes to. */
const TARGET = 3

const HOW = ['-PR', '--preserve=mode,timestamps', '--reflink=auto', '--one-file-system']

/** Makes durable what was written to the file system of a folder. @throws CopyFailed */
export function syncFileSystem(folder: string, signal: AbortSignal): Promise<void> {
  return run('sync', ['--file-system', '.'], { cwd: folder, signal })
}

const MAX_STDERR_LENGTH = 8192

interface Where {
  readonly cwd: string
  readonly signal: AbortSignal
  readonly target?: number
}

async function run(command: string, args: readonly string[], { cwd, signal, target }: Where): Promise<void> {
  signal.throwIfAborted()
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe', target ?? 'ignore'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_STDERR_LENGTH)))
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  try {
    await once(child, 'close')
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
  if (child.exitCode === 0) return
  const isFull = /No space left on device|Disk quota exceeded/.test(said)
  throw new CopyFailed(isFull ? 'ENOSPC' : 'COPY_FAILED', said.trim().split('\n').at(-1) ?? '')
}
