import type { KnownAdapter } from './programs.ts'

/** Where a CLI keeps its sessions, each in one file. */
export interface SessionFolder {
  /** Folder below the home, with `/` between segments. */
  readonly folder: string
  /** Whether a path below it is the file of a session. */
  readonly isOf: (path: string, sessionId: string) => boolean
}

/** Facts: docs/agents.md. */
export const SESSION_FILES = {
  claude: { folder: '.claude/projects', isOf: (path, sessionId) => path.endsWith(`/${sessionId}.jsonl`) },
  codex: { folder: '.codex/sessions', isOf: (path, sessionId) => path.endsWith(`-${sessionId}.jsonl`) },
  gemini: {
    folder: '.gemini/tmp',
    isOf: (path, sessionId) => path.includes('/chats/') && path.endsWith(`-${sessionId.slice(0, 8)}.jsonl`),
  },
} as const satisfies Readonly<Record<KnownAdapter, SessionFolder>>

/** Ids of sessions as these CLIs make them; what an agent says of its session may be anything. */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Largest file of a session that is given out. */
export const MAX_SESSION_BYTES = 64 * 1024 * 1024
