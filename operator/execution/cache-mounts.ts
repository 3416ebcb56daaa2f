import { findCacheProblem, placeOfCache } from '../../core/environment/paths.ts'
import type { SealedCache } from '../../core/crd/types.ts'
import { sealedCachePath } from '../../core/execution/layout.ts'
import type { VolumeMount } from '../../kube/builtin.ts'
import { VOLUME } from './job-input.ts'

/**
 * The caches of an environment that all have the same of, each at its place.
 *
 * @param place absolute path of the folder with `repo` and `home`
 * @param environment its folder on the data volume; undefined: none is mounted
 */
export function cacheMounts(
  place: string,
  environment: string | undefined,
  caches: readonly SealedCache[] = [],
): VolumeMount[] {
  if (environment === undefined) return []
  return caches.flatMap(({ path, mode }, n) => {
    const inside = findPlaceInSandbox(path)
    if (mode !== 'ReadOnly' || inside === undefined) return []
    const subPath = sealedCachePath(environment, n)
    return [{ name: VOLUME, mountPath: `${place}/${inside}`, subPath, readOnly: true }]
  })
}

/** Below the sandbox; undefined for a path that would leave clone and home, or that no mount can name. */
function findPlaceInSandbox(path: string): string | undefined {
  if (findCacheProblem(path) !== undefined || path.includes(':')) return undefined
  const { root, segments } = placeOfCache(path)
  return [root === 'home' ? 'home' : 'repo', ...segments].join('/')
}
