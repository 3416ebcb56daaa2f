/**
 * Reads what a run of a CLI has used from the file in which the CLI keeps its session: while it runs, and after it was
 * ended before it reported its usage. An agent can write that file too, as it can write its own outcome.
 */
import { basename, dirname } from 'node:path'
import type { Tokens } from '../../core/crd/types.ts'
import { createLineSplitter } from '../../core/transcript/lines.ts'
import type { SessionUsage } from '../../core/transcript/session-usage.ts'
import { NO_TOKENS, subtractTokens } from '../../core/transcript/tokens.ts'
import { hasErrorCode, openRegularNoFollow, UnsafePath } from '../../lib/files.ts'
import { findFileNoFollow } from '../../lib/find-file.ts'
import type { SessionFolder } from '../../core/agent/session-files.ts'
import type { StepContext } from '../context.ts'

/** Where a CLI keeps its sessions, and what they say of its usage. */
export interface SessionFiles extends SessionFolder {
  readonly createUsage: () => SessionUsage
}

export interface Meter {
  /** What the session had used before this run. */
  readonly before: Tokens
  /** What this run has used so far; undefined while that is not known. */
  read(sessionId: string | undefined): Promise<Tokens | undefined>
}

/** @param resumed the session that the run takes up */
export async function startMeter(
  context: StepContext,
  files: SessionFiles,
  resumed: string | undefined,
): Promise<Meter> {
  let reader = resumed === undefined ? undefined : createReader(context, files, resumed)
  const before = (await reader?.read()) ?? NO_TOKENS
  return {
    before,
    async read(sessionId) {
      if (sessionId === undefined) return undefined
      if (reader?.sessionId !== sessionId) reader = createReader(context, files, sessionId)
      const total = await reader.read()
      return total && subtractTokens(total, sessionId === resumed ? before : NO_TOKENS)
    },
  }
}

const CHUNK_BYTES = 1024 * 1024

interface Reader {
  readonly sessionId: string
  /** Reads what was added since the last read. */
  read(): Promise<Tokens | undefined>
}

function createReader({ paths }: StepContext, files: SessionFiles, sessionId: string): Reader {
  // The agent cannot write the folder above the home; below it no part of the path may be a link.
  const [root, home] = [dirname(paths.home), basename(paths.home)]
  const usage = files.createUsage()
  const splitter = createLineSplitter()
  let [path, position]: [string | undefined, number] = [undefined, 0]
  return {
    sessionId,
    async read() {
      path ??= await findFileNoFollow(root, `${home}/${files.folder}`, (found) => files.isOf(found, sessionId))
      if (path === undefined) return undefined
      try {
        const file = await openRegularNoFollow(root, path)
        try {
          const buffer = Buffer.alloc(CHUNK_BYTES)
          for (;;) {
            const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
            if (bytesRead === 0) return usage.tokens
            position += bytesRead
            for (const { text } of splitter.push(buffer.subarray(0, bytesRead))) usage.read(text)
          }
        } finally {
          await file.close()
        }
      } catch (error) {
        if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT')) return usage.tokens
        throw error
      }
    },
  }
}
