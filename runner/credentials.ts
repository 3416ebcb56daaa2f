import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { safeJoin } from '../lib/files.ts'
import type { StepContext } from './context.ts'

/**
 * Copies the Agent's credential files into the agent's home, anew for each Job: a login that failed is tried again
 * with what the Secret holds now. A CLI renews its token by writing the file, so a link to the mount would not do.
 */
export async function copyCredentials({ run, paths }: StepContext): Promise<void> {
  for (const { from, path } of run.credentialFiles ?? []) {
    const target = safeJoin(paths.home, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const aside = join(dirname(target), `.slipway-${run.jobNumber}`)
    await copyFile(from, aside)
    await rm(target, { recursive: true, force: true })
    await rename(aside, target)
  }
}
