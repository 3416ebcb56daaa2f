/**
 * Values that earlier versions took and the definitions refuse today. A stored object keeps them, but one that comes from
 * a backup or from the archive is made anew, and so without them.
 */
import { isJsonObject } from '../json.ts'
import { findBranchNameProblem } from '../story/branch-name.ts'

export interface Mended<T> {
  /** As today's definitions take it. */
  readonly object: T
  /** Paths of the fields that were changed or left out. */
  readonly fields: readonly string[]
}

/** What becomes of a value; undefined: the field is left out, and its default counts. */
const MENDS: Readonly<Record<string, (value: string) => string | undefined>> = {
  remoteUrl: mendUrl,
  repositoryUrl: mendUrl,
  defaultBranch: (name) => (name === 'HEAD' || findBranchNameProblem(name) !== undefined ? undefined : name),
  model: (name) => (/^[- ]/.test(name) ? undefined : name),
  defaultModel: (name) => (/^[- ]/.test(name) ? undefined : name),
  image: (name) => (/\s/.test(name) ? undefined : name),
  containerImage: (name) => (/\s/.test(name) ? undefined : name),
}

/** The object as today's definitions take it. */
export function mendOlderValues<T extends object>(object: T): Mended<T> {
  const fields: string[] = []
  const mend = (found: unknown, at: string): unknown => {
    if (!isJsonObject(found)) return found
    const kept = Object.entries(found).flatMap(([field, value]): [string, unknown][] => {
      const path = `${at}.${field}`
      if (field === 'agent') return [[field, mend(value, path)]]
      const mended = typeof value === 'string' ? (MENDS[field] ?? String)(value) : value
      if (mended !== value) fields.push(path)
      return mended === undefined ? [] : [[field, mended]]
    })
    return Object.fromEntries(kept)
  }
  const spec = mend('spec' in object ? object.spec : undefined, 'spec')
  return { object: fields.length === 0 ? object : { ...object, spec }, fields }
}

/** Without a user, who may be a token, and without what only the address of a page has. */
function mendUrl(url: string): string {
  return url
    .replace(
      /^(https?:\/\/)(?!(?:git|oauth2|x-access-token|x-token-auth|x-oauth-basic|gitlab-ci-token)@)[^@/?#]*@/,
      '$1',
    )
    .replace(/^([a-z]+:\/\/[^#]*)#.*$/s, '$1')
    .replace(/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:-\/)?(?:tree|blob|commit)\/.*$/s, '$1')
}
