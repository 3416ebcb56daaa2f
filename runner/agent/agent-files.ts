import { type FileHandle, constants, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { inFolderNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'

/** A file that is added to. */
export interface OpenedFile {
  readonly file: FileHandle
  /** What it holds already. */
  readonly sizeBytes: number
}

/**
 * Opens a file of the agent's folder for appending: a second Job of the same execution goes on in the same file. A link in
 * its place is refused. The caller closes it.
 */
export async function openAgentFile(context: Pick<StepContext, 'paths'>, name: string): Promise<OpenedFile> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const file = await inFolderNoFollow(context.paths.agentOutput, [], (folder) =>
    open(`${folder}/${basename(name)}`, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o644),
  )
  return { file, sizeBytes: (await file.stat()).size }
}
