import { resolve } from 'node:path'
import { apiError } from '../../core/errors.ts'
import { isIn } from '../../lib/files.ts'
import type { Refusal } from './references.ts'

/** What decides which paths of a machine may be named. */
export interface LocalPathRule {
  /** Whether pods run on this machine: only then its own paths may be named. */
  readonly embedded: boolean
  readonly workspaceRoot: string
}

/**
 * Refuses a folder that this server must not read: embedded any may be named, because it is the caller's own machine;
 * elsewhere those below the workspace root (specification §3.13).
 *
 * @throws ApiError `invalid_request`
 */
export function checkLocalPath(
  { embedded, workspaceRoot }: LocalPathRule,
  field: string,
  path: string | undefined,
): void {
  if (path === undefined || embedded) return
  if (isBelow(resolve(workspaceRoot), resolve(path))) return
  throw apiError('invalid_request', `${field}: must be a folder below ${workspaceRoot}, not ${path}`)
}

/**
 * Refuses a repository that only one machine has where pods may run on another (specification §3.14). Whether the URL
 * is one at all is the CRD's to judge.
 */
export function findRefusedUrl(
  { embedded }: Pick<LocalPathRule, 'embedded'>,
  field: string,
  url: string | undefined,
): Refusal[] {
  if (embedded || url === undefined || !/^(?:file:|\/)/i.test(url)) return []
  const text = `${field}: a path is honoured by the embedded control plane only, not ${url}`
  return [{ field, error: apiError('invalid_request', text) }]
}

/** Whether an absolute path lies below another one, by their texts alone; none lies below itself. */
export function isBelow(root: string, path: string): boolean {
  return isIn(root, path) && !isIn(path, root)
}
