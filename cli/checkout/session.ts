/** Puts the file of an agent's session where the CLI on this machine looks for it, and says how to go on in it. */
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isSessionId } from '../../core/agent/session-files.ts'
import { shellWord } from '../../core/shell.ts'
import { hasErrorCode } from '../../lib/files.ts'

export interface SessionOffer {
  readonly adapter: string
  readonly id: string
  /** The server's path of the file, below the folder of the CLI's sessions. */
  readonly file: string
}

export interface PlacedSession {
  readonly path: string
  /** What a person types to go on in it. */
  readonly typed: string
}

interface Way {
  /** Absolute path of the file; undefined for a name that the CLI would not give. */
  readonly pathOf: (offer: SessionOffer, folder: string) => string | undefined
  readonly typed: (id: string) => string
}

type Env = Readonly<Record<string, string | undefined>>

function waysOf(env: Env): Readonly<Record<string, Way>> {
  const home = env['HOME'] ?? homedir()
  return {
    claude: {
      // It names the folder of a project after the working folder.
      pathOf: ({ id }, folder) => {
        const name = folder.replaceAll(/[^A-Za-z0-9]/g, '-')
        return join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects', name, `${id}.jsonl`)
      },
      typed: (id) => `claude --resume ${id}`,
    },
    codex: {
      pathOf: ({ id, file }) => {
        const form = /^\d{4}\/\d{2}\/\d{2}\/rollout-[0-9T-]+-([0-9a-f-]{36})\.jsonl$/.exec(file)
        return form?.[1] === id ? join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions', file) : undefined
      },
      typed: (id) => `codex resume ${id}`,
    },
  }
}

function findWay(adapter: string, env: Env): Way | undefined {
  const ways = waysOf(env)
  return Object.hasOwn(ways, adapter) ? ways[adapter] : undefined
}

/** Whether a session of that program can be placed; what the server says of it is checked. */
export function canPlace(offer: SessionOffer, env: Env): boolean {
  return isSessionId(offer.id) && findWay(offer.adapter, env)?.pathOf(offer, '/') !== undefined
}

/** @returns undefined where a file of the person's has its place: it is never replaced */
export async function placeSession(
  offer: SessionOffer,
  folder: string,
  content: Uint8Array,
  env: Env,
): Promise<PlacedSession | undefined> {
  const way = findWay(offer.adapter, env)
  const path = way?.pathOf(offer, await realpath(folder))
  if (way === undefined || path === undefined) return undefined
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return undefined
    throw error
  }
  return { path, typed: `cd ${shellWord(folder)} && ${way.typed(offer.id)}` }
}
