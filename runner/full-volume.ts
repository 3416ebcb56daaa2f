import { statfs } from 'node:fs/promises'
import type { StepContext } from './context.ts'

/** Less than what a git or a setup writes next. */
const FULL_BYTES = 1024 * 1024

/** Whether the data volume has next to no room, which programs do not always give as the reason why they fail. */
export async function isVolumeFull({ run }: Pick<StepContext, 'run'>): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(run.volumeRoot)
  // Some network file systems tell no sizes.
  return blocks !== 0 && bavail * bsize < FULL_BYTES
}
