/** File systems of their own for tests of full disks; only root can mount them. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type DiskKind = 'ext4' | 'tmpfs'

export const DISK_KINDS: readonly DiskKind[] = ['ext4', 'tmpfs']

export interface SmallDisk {
  /** Leaves not a byte to anybody, or so many. */
  fill(leftBytes?: number): void
  /** Removes what `fill` wrote. */
  free(): void
  /** Takes it away; who uses it may end later. */
  unmount(): void
}

/**
 * Mounts an empty file system at `path`, which is made.
 *
 * @param size as mount(8) and truncate(1) take it
 * @throws Error when it cannot be mounted here
 */
export function mountSmallDisk(kind: DiskKind, path: string, size = '64M'): SmallDisk {
  mkdirSync(path, { recursive: true })
  const image = `${path}.image`
  if (kind === 'tmpfs') run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path)
  else {
    run('truncate', '-s', size, image)
    run('mkfs.ext4', '-q', image)
    run('mount', '-o', 'loop', image, path)
  }
  const ballast = (n: number): string => join(path, `ballast-${n}`)
  // Ever smaller, as the last blocks go to whoever asks for few.
  const sizes = [1024 * 1024, 4096, 1]
  return {
    fill(leftBytes = 0) {
      sizes.forEach((size, n) => writeUntilFull(ballast(n), size))
      if (leftBytes > 0) truncateSync(ballast(0), Math.max(0, statSync(ballast(0)).size - leftBytes))
    },
    free: () => sizes.forEach((_, n) => rmSync(ballast(n), { force: true })),
    unmount() {
      run('umount', '--lazy', path)
      rmSync(image, { force: true })
    },
  }
}

/** Why this machine cannot mount such a disk; undefined when it can. */
export function findMountProblem(kind: DiskKind, folder: string): string | undefined {
  try {
    mountSmallDisk(kind, join(folder, `probe-${kind}`)).unmount()
    return undefined
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

function writeUntilFull(path: string, size: number): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(size, 1))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
