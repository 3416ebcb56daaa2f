/** Puts the file of an agent's session where the CLI on this machine looks for it, and says how to go on in it. */
import { link, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { claudeProject, isSessionId } from '../../core/agent/session-files.ts'
import { shellWord } from '../../core/shell.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { findGeminiProject } from './gemini-project.ts'

export interface SessionOffer {
  readonly adapter: string
  readonly id: string
  /** The server's path of the file, below the folder of the CLI's sessions. */
  readonly file: string
}

export interface PlacedSession {
  readonly path: string
  /** False: it was there already. */
  readonly isNew: boolean
  /** What a person types to go on in it. */
  readonly typed: string
}

interface Way {
  /** Below the folder where the CLI keeps its sessions; undefined for a name that the CLI would not give. */
  readonly nameOf: (offer: SessionOffer) => string | undefined
  /** Where the CLI keeps sessions of that working folder. */
  readonly rootOf: (folder: string, id: string) => string | Promise<string>
  readonly typed: (id: string) => string
}

type Env = Readonly<Record<string, string | undefined>>

function waysOf(env: Env): Readonly<Record<string, Way>> {
  const home = env['HOME'] ?? homedir()
  return {
    claude: {
      nameOf: ({ id }) => `${id}.jsonl`,
      // It names the folder of a project after the working folder.
      rootOf: (folder) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects', claudeProject(folder)),
      typed: (id) => `claude --resume ${id}`,
    },
    codex: {
      nameOf: ({ id, file }) =>
        /^\d{4}\/\d{2}\/\d{2}\/rollout-[0-9T-]+-([0-9a-f-]{36})\.jsonl$/.exec(file)?.[1] === id ? file : undefined,
      rootOf: () => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
      typed: (id) => `codex resume ${id}`,
    },
    gemini: {
      nameOf: ({ id, file }) => {
        const [, name, start] = /^[^/]+\/(chats\/session-[0-9T-]+-([0-9a-f]{8})\.jsonl)$/.exec(file) ?? []
        return start === id.slice(0, 8) ? name : undefined
      },
      rootOf: (folder, id) =>
        findGeminiProject(join(env['GEMINI_CLI_HOME'] ?? home, '.gemini'), folder, `slipway-${id}`),
      typed: (id) => `gemini --resume ${id}`,
    },
  }
}

function findWay(adapter: string, env: Env): Way | undefined {
  const ways = waysOf(env)
  return Object.hasOwn(ways, adapter) ? ways[adapter] : undefined
}

/** Whether a session of that program can be placed; what the server says of it is checked. */
export function canPlace(offer: SessionOffer, env: Env): boolean {
  return isSessionId(offer.id) && findWay(offer.adapter, env)?.nameOf(offer) !== undefined
}

/** Why no session of an agent comes along that the server offers none of. */
export function noSessionWords(adapter: string): string {
  return adapter === 'acp'
    ? "the session stays on the server: of programs that speak ACP nobody knows which files are a session's"
    : 'no session comes along: the server keeps no file of it, or one of more than 64 MiB'
}

/**
 * Puts the file there, whole or not at all. One that is there already stays: the person may have gone on in it.
 *
 * @returns undefined for an offer that {@link canPlace} refuses
 */
export async function placeSession(
  offer: SessionOffer,
  folder: string,
  content: Uint8Array,
  env: Env,
): Promise<PlacedSession | undefined> {
  const way = findWay(offer.adapter, env)
  const name = way?.nameOf(offer)
  if (way === undefined || name === undefined) return undefined
  const path = join(await way.rootOf(await realpath(folder), offer.id), name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const isNew = await writeNew(path, content)
  return { path, isNew, typed: `cd ${shellWord(folder)} && ${way.typed(offer.id)}` }
}

/** @returns false where there is one already */
async function writeNew(path: string, content: Uint8Array): Promise<boolean> {
  const part = `${path}.slipway-part`
  try {
    await writeFile(part, content, { mode: 0o600 })
    await link(part, path)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}
