/**
 * What the paths of an environment may be, in the words of the CRD's rules (crds/slipway.dev_projects.yaml, environment), for
 * what comes another way: the repository's own file, a form, a seal.
 */

/** Begins the path of a cache in the home of the agent. */
const HOME_PREFIX = '~/'

/** Characters that a path has at most. */
const MAX_PATH_LENGTH = 1024

/** Where a cache lies: in the clone or in the home, by the names of the folders that lead to it. */
export interface CachePlace {
  readonly root: 'clone' | 'home'
  readonly segments: readonly string[]
}

/** Where the cache of a path lies that {@link findCacheProblem} finds nothing wrong with. */
export function placeOfCache(path: string): CachePlace {
  return path.startsWith(HOME_PREFIX)
    ? { root: 'home', segments: path.slice(HOME_PREFIX.length).split('/') }
    : { root: 'clone', segments: path.split('/') }
}

/** Why no cache can have this path, as what stands behind its name; undefined: it can. */
export function findCacheProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path.length > MAX_PATH_LENGTH) return `must have at most ${MAX_PATH_LENGTH} characters`
  if (path.startsWith('/') || path.endsWith('/'))
    return 'must not begin or end with /: give it from the top of the clone, or from the home with ~/ before it'
  if (path === '~' || path.split('/').some(isOddSegment)) return 'must not have an empty part, ., .. or .git'
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f"*?[\]\\]/.test(path))
    return 'must be one folder, not a pattern: without any of * ? [ ] " \\ and control characters'
  return undefined
}

function isOddSegment(segment: string): boolean {
  return isDots(segment) || segment.toLowerCase() === '.git'
}

function isDots(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..'
}

/** Why no key file can have this path; undefined: it can. */
export function findKeyProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path.length > MAX_PATH_LENGTH) return `must have at most ${MAX_PATH_LENGTH} characters`
  if (path.split('/').some(isDots))
    return 'must be a path from the top of the repository: without / before it, and without an empty part, . or ..'
  // oxlint-disable-next-line no-control-regex
  return /[\x00-\x1f\x7f]/.test(path) ? 'must not contain control characters' : undefined
}

/** A cache that lies in another one, or is the same, with that one; undefined: there is none. */
export function findNested(paths: readonly string[]): readonly [inner: string, outer: string] | undefined {
  // In this order a path comes right behind the nearest one that holds it, or one that lies in that too.
  const sorted = paths.map((path) => `${path}/`).sort()
  for (const [at, path] of sorted.entries()) {
    const before = at === 0 ? undefined : sorted[at - 1]
    if (before !== undefined && path.startsWith(before)) return [path.slice(0, -1), before.slice(0, -1)]
  }
  return undefined
}

/** Why caches of these paths cannot stand beside one another, as what stands behind the name of their list. */
export function findNestedProblem(paths: readonly string[]): string | undefined {
  const nested = findNested(paths)
  if (nested === undefined) return undefined
  const [inner, outer] = nested
  const words = inner === outer ? `names ${inner} twice` : `has ${inner} inside ${outer}, which is kept whole`
  return `${words}: leave it out`
}
