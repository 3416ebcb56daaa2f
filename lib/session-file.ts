/** Finds and reads the file of an agent's session in its home, which the agent can have made anything of. */
import { SESSION_FILES, isSessionId } from '../core/agent/session-files.ts'
import type { KnownAdapter } from '../core/agent/programs.ts'
import { ifPlain, openRegularNoFollow } from './files.ts'
import { findFileNoFollow } from './find-file.ts'

/** An ordinary file with one name, no larger than was asked for. */
export interface FoundSession {
  /** Below the root. */
  readonly path: string
  /** Below the folder where the CLI keeps its sessions. */
  readonly file: string
  readonly size: number
}

/**
 * The file of a session, by the CLI's own name for it; no link is followed.
 *
 * @param home path below `root`
 */
export async function findSessionFile(
  root: string,
  home: string,
  { adapter, id }: { readonly adapter: KnownAdapter; readonly id: string },
  maxBytes: number,
): Promise<FoundSession | undefined> {
  if (!isSessionId(id)) return undefined
  const { folder, isOf } = SESSION_FILES[adapter]
  const sessions = `${home}/${folder}`
  const path = await findFileNoFollow(root, sessions, (found) => isOf(found, id))
  const handle = path === undefined ? undefined : await ifPlain(openRegularNoFollow(root, path))
  if (path === undefined || handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    return size > maxBytes ? undefined : { path, file: path.slice(sessions.length + 1), size }
  } finally {
    await handle.close()
  }
}
