import { relative, resolve } from 'node:path'
import { InvalidRequest } from '../core/errors.ts'
import { parseGitUrl, UnusableGitUrl } from '../lib/git-url.ts'
import type { ApiContext } from './context.ts'

type Place = Pick<ApiContext, 'embedded' | 'workspaceRoot'>

/**
 * Refuses a folder that this server must not read: embedded any may be named, because it is the caller's own machine;
 * elsewhere those below the workspace root (decisions, section 2).
 *
 * @throws InvalidRequest
 */
export function checkLocalPath({ embedded, workspaceRoot }: Place, field: string, path: string | undefined): void {
  if (path === undefined || embedded) return
  const below = relative(resolve(workspaceRoot), resolve(path))
  if (below !== '' && below !== '..' && !below.startsWith('../')) return
  throw new InvalidRequest(`${field}: must be a folder below ${workspaceRoot}, not ${path}`)
}

/**
 * Refuses a repository that no step could clone: what is no URL that we hand to git and, in a cluster, a path of one
 * machine (decisions, section 2).
 *
 * @throws InvalidRequest
 */
export function checkRepositoryUrl({ embedded }: Pick<Place, 'embedded'>, field: string, url: string | undefined) {
  if (url === undefined) return
  try {
    if (parseGitUrl(url).protocol !== 'file' || embedded) return
  } catch (error) {
    if (error instanceof UnusableGitUrl) throw new InvalidRequest(`${field}: ${error.message}`, { cause: error })
    throw error
  }
  throw new InvalidRequest(`${field}: a path is honoured by the embedded control plane only, not ${url}`)
}
