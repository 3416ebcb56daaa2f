/**
 * What folders take on the disk, by `du`: a process of its own holds none of our threads when a disk does not answer, and
 * with the lowest priority it takes time from nobody.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

/** A command line has an end. */
const AT_ONCE = 1000

/**
 * Bytes of each of the folders with all that is in it, other file systems and what links lead to left out; 0 for one that
 * is not there.
 *
 * @throws the system's error where there is no `du`
 */
export async function measureFolders(paths: readonly string[], signal?: AbortSignal): Promise<number[]> {
  const sizes: number[] = []
  for (let at = 0; at < paths.length; at += AT_ONCE)
    sizes.push(...(await measure(paths.slice(at, at + AT_ONCE), signal)))
  return sizes
}

async function measure(paths: readonly string[], signal: AbortSignal | undefined): Promise<number[]> {
  const child = spawn('du', ['-s', '-k', '-x', '--', ...paths], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(child, 'close')
  if (child.pid !== undefined) slowDown(child.pid)
  await closed
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  const sizes = new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), 1024 * Number.parseInt(line, 10)]))
  return paths.map((path) => sizes.get(path) ?? 0)
}

function slowDown(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It may have ended already, and the sizes are right at any priority.
  }
}
