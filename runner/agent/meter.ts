/**
 * Reads what a run of a CLI has used from the file in which the CLI keeps its session: while it runs, and after it was
 * ended before it reported its usage. An agent can write that file too, as it can write its own outcome.
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Tokens } from '../../core/crd/types.ts'
import { createLineSplitter } from '../../core/transcript/lines.ts'
import type { SessionUsage } from '../../core/transcript/session-usage.ts'
import { NO_TOKENS, subtractTokens } from '../../core/transcript/tokens.ts'
import { hasErrorCode, ifPlain, inFolderNoFollow, openRegularNoFollow, UnsafePath } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'

/** Where a CLI keeps its sessions. */
export interface SessionFiles {
  /** Folder below the home, with `/` between segments. */
  readonly folder: string
  /** Whether a path below it is the file of a session. */
  readonly isOf: (path: string, sessionId: string) => boolean
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
      path ??= await findFile(root, `${home}/${files.folder}`, (found) => files.isOf(found, sessionId))
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

/** If an agent makes more folders and files than this, its usage stays unknown. */
const MAX_ENTRIES = 20_000
const MAX_DEPTH = 4

/** The first file below a folder that is wanted, by its path below `root`; links are not followed. */
async function findFile(
  root: string,
  folder: string,
  isWanted: (path: string) => boolean,
): Promise<string | undefined> {
  let left = MAX_ENTRIES
  const look = async (path: string, depth: number): Promise<string | undefined> => {
    const entries = await listFolder(root, path)
    left -= entries.length
    const file = entries.find((entry) => entry.isFile() && isWanted(`${path}/${entry.name}`))
    if (file !== undefined) return `${path}/${file.name}`
    if (depth === MAX_DEPTH) return undefined
    for (const entry of entries.filter((one) => one.isDirectory())) {
      const found = left > 0 ? await look(`${path}/${entry.name}`, depth + 1) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return look(folder, 0)
}

async function listFolder(root: string, path: string) {
  const list = (folder: string) => readdir(folder, { withFileTypes: true })
  return (await ifPlain(inFolderNoFollow(root, path.split('/'), list))) ?? []
}
