/** What the start of every container needs in the node's own folder. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../lib/files.ts'
import { readIfExists } from './layout.ts'
import { SECCOMP_FILE } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { SHIM } from './shim.ts'

export interface RuntimeFiles {
  /** The node's own folder. */
  readonly dir: string
  readonly runtime: 'bwrap' | 'process'
}

/** Where the shim's text lies. */
export function shimPath(dir: string): string {
  return join(dir, 'shim.sh')
}

/**
 * Lays the shim, and for sandboxes the filter beside it, into the node's folder, which is made when missing.
 *
 * @throws the system's error
 */
export async function writeRuntimeFiles({ dir, runtime }: RuntimeFiles): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const filter = runtime === 'bwrap' ? seccompFilter(process.arch) : undefined
  if (filter !== undefined) await writeFileAtomic(join(dir, SECCOMP_FILE), filter, 0o600)
  await writeFileAtomic(shimPath(dir), SHIM, 0o600)
}

/** The same, where somebody has removed the node's folder since. */
export async function ensureRuntimeFiles(files: RuntimeFiles): Promise<void> {
  if ((await readIfExists(shimPath(files.dir))) === undefined) await writeRuntimeFiles(files)
}
