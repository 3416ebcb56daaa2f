import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { type ApiError, apiError } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { hasErrorCode, inFolderNoFollow, UnsafePath } from '../../lib/files.ts'
import { isBelow } from '../commands/local-paths.ts'

/** The file in a project's folder that keeps what people asked for (specification §8.18). */
const NARRATIVE = 'NARRATIVE.md'

/** A folder below the workspace root. */
export interface WorkspaceFolder {
  /** Absolute, without links. */
  readonly path: string
  readonly root: string
  readonly segments: readonly string[]
}

/**
 * The folder that `project_dir` names: absolute, or relative to the workspace root, and below it also when links are
 * followed.
 *
 * @throws ApiError `invalid_request`
 */
export async function findProjectFolder(workspaceRoot: string, projectDir: string): Promise<WorkspaceFolder> {
  const refuse = (what: string): ApiError => apiError('invalid_request', `project_dir: ${what}, not ${projectDir}`)
  if (projectDir.includes('\0')) throw refuse('must be a path')
  if (!isBelow(resolve(workspaceRoot), resolve(workspaceRoot, projectDir)))
    throw refuse(`must be a folder below ${workspaceRoot}`)
  try {
    const root = await realpath(workspaceRoot)
    const path = await realpath(resolve(workspaceRoot, projectDir))
    if (!isBelow(root, path)) throw refuse(`must not lead out of ${workspaceRoot} by a link`)
    const segments = relative(root, path).split('/')
    await inFolderNoFollow(root, segments, () => Promise.resolve())
    return { path, root, segments }
  } catch (error) {
    const isNone = error instanceof UnsafePath || hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')
    throw isNone ? refuse(`must be a folder that exists`) : error
  }
}

/**
 * Appends what a person asked for to the folder's narrative, in one write, so that two requests at a time do not mix.
 * The repository in the folder may hold anything under that name: a link is not followed.
 *
 * @throws ApiError `invalid_request` when it is no ordinary file
 */
export async function appendToNarrative(folder: WorkspaceFolder, prompt: string, now: Date): Promise<void> {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const entry = `\n## ${toTimestamp(now)}\n\n${prompt.trim()}\n`
  try {
    await inFolderNoFollow(folder.root, folder.segments, async (path) => {
      const file = await open(join(path, NARRATIVE), flags, 0o644)
      try {
        const stat = await file.stat()
        if (!stat.isFile() || stat.nlink !== 1) throw new UnsafePath(`not an ordinary file: ${NARRATIVE}`)
        await file.writeFile(stat.size === 0 ? entry.trimStart() : entry)
      } finally {
        await file.close()
      }
    })
  } catch (error) {
    const isOdd = error instanceof UnsafePath || hasErrorCode(error, 'ELOOP', 'EMLINK', 'EISDIR', 'ENXIO')
    if (!isOdd) throw error
    throw apiError(
      'invalid_request',
      `project_dir: ${NARRATIVE} there is no ordinary file that could be added to`,
    ).causedBy(error)
  }
}
