import { join } from 'node:path'
import { findCacheProblem, findNested } from '../../core/environment/paths.ts'
import type { Seal } from '../../core/environment/seal.ts'
import { SEAL_FILE } from '../../core/execution/layout.ts'
import { parseJson } from '../../core/json.ts'
import { ifPlain, readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { isSeal } from '../validators.ts'

/** What {@link MAX_RELOCATED_PATHS} paths of usual length take, several times. */
const MAX_SEAL_BYTES = 16 * 1024 * 1024

/** Files of all caches that a seal names because they name the place of the setup. */
export const MAX_RELOCATED_PATHS = 20_000

/** An environment that the Job mounts, with what it holds. */
export interface MountedEnvironment {
  /** Absolute path. */
  readonly folder: string
  readonly seal: Seal
}

/** The environment that the Job mounts; undefined where it mounts none, or one that cannot be used. */
export async function findMounted({ run }: Pick<StepContext, 'run'>): Promise<MountedEnvironment | undefined> {
  const { mounted } = run.environment ?? {}
  if (mounted === undefined) return undefined
  const folder = join(run.volumeRoot, mounted.folder)
  const bytes = await ifPlain(readRegularNoFollow(folder, SEAL_FILE, MAX_SEAL_BYTES))
  const seal = bytes && parseJson(bytes.toString('utf8'))
  return isSeal(seal) && seal.digest === mounted.digest && isUsable(seal) ? { folder, seal } : undefined
}

/** What its paths lead to is not left to who wrote it. */
function isUsable({ clone, home, caches }: Seal): boolean {
  const paths = caches.map(({ path }) => path)
  const isAbsolute = [clone, home].every((path) => /^\/.*[^/]$/s.test(path))
  return isAbsolute && findNested(paths) === undefined && paths.every((path) => findCacheProblem(path) === undefined)
}
