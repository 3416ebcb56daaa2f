/** What the API serves from disk: files on the data volume, some of them written by agents, and workspace folders. */
import { type FileHandle, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../core/execution/layout.ts'
import { apiError } from '../../core/errors.ts'
import type { ArtifactRecord } from '../../core/rest/records/execution.ts'
import { toTimestamp } from '../../core/time.ts'
import { hasErrorCode, inFolderNoFollow, openRegularNoFollow, readNames, UnsafePath } from '../../lib/files.ts'
import { entityTag } from './representation.ts'

/** An open file of the data volume; whoever sends it closes it. */
export interface StoredFile {
  readonly handle: FileHandle
  readonly sizeBytes: number
  /** Changes with every write to the file. */
  readonly etag: string
  /** Set: offered as a download of that name. */
  readonly downloadName?: string
}

/** Files listed of one execution; what an agent leaves beyond that is still to be had by name. */
const MAX_ARTIFACTS = 1000

/**
 * Opens a file of the data volume for sending. Agents write there, so links and files with a second name are not served.
 *
 * @throws ApiError `not_found` when there is none, or none that may be served
 */
export async function openStoredFile(volumeRoot: string, path: string, shown: string): Promise<StoredFile> {
  try {
    return await toStoredFile(await openRegularNoFollow(volumeRoot, path))
  } catch (error) {
    if (error instanceof UnsafePath || isMissing(error)) throw apiError('not_found', shown)
    throw error
  }
}

/** An open file with its size and a tag that changes with every write; closed again when it cannot be read. */
export async function toStoredFile(handle: FileHandle): Promise<StoredFile> {
  try {
    const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
    return { handle, sizeBytes: Number(size), etag: entityTag(`${ino.toString(36)}-${size}-${mtimeNs.toString(36)}`) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Path of a named file of an execution, relative to the volume's root. */
export function executionFile(execution: string, name: keyof typeof EXECUTION_FILES): string {
  return `${executionPath(execution)}/${EXECUTION_FILES[name]}`
}

/** The artifact of that name; one path segment. */
export async function openArtifact(volumeRoot: string, execution: string, name: string): Promise<StoredFile> {
  if (name.includes('/')) throw apiError('not_found', 'artifact')
  const file = await openStoredFile(volumeRoot, `${executionFile(execution, 'artifacts')}/${name}`, 'artifact')
  return { ...file, downloadName: name }
}

/** The ordinary files among an execution's artifacts, by name. */
export async function listArtifacts(volumeRoot: string, execution: string): Promise<ArtifactRecord[]> {
  const segments = [...agentOutputPath(execution).split('/'), 'artifacts']
  try {
    const names = await inFolderNoFollow(volumeRoot, segments, (folder) => readNames(folder))
    const records: ArtifactRecord[] = []
    for (const name of names.sort().slice(0, MAX_ARTIFACTS)) {
      const record = await readArtifact(volumeRoot, [...segments, name].join('/'), name)
      if (record !== undefined) records.push(record)
    }
    return records
  } catch (error) {
    if (error instanceof UnsafePath || isMissing(error)) return []
    throw error
  }
}

async function readArtifact(root: string, path: string, name: string): Promise<ArtifactRecord | undefined> {
  try {
    const handle = await openRegularNoFollow(root, path)
    try {
      const { size, mtime } = await handle.stat()
      return { name, size, modified_at: toTimestamp(mtime) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    // A folder, a link, or gone since it was listed: nothing that could be downloaded.
    if (error instanceof UnsafePath || isMissing(error)) return undefined
    throw error
  }
}

/** The folders below the workspace root as absolute paths, sorted, without dot folders; none when there is no root. */
export async function listWorkspaces(workspaceRoot: string): Promise<string[]> {
  try {
    const entries = await readdir(workspaceRoot, { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    return folders.map((entry) => join(workspaceRoot, entry.name)).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')
}
