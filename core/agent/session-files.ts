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

/** Programs that go on in a copy of a session, in another folder and another home. Facts: docs/agents.md. */
export type CopyingAdapter = 'claude' | 'codex'
export const COPYING_ADAPTERS: readonly CopyingAdapter[] = ['claude', 'codex']

export function isCopyingAdapter(adapter: string): adapter is CopyingAdapter {
  return COPYING_ADAPTERS.some((one) => one === adapter)
}

/**
 * Where a program looks for the copy of a session, below the home.
 *
 * @param cwd absolute path, without links, of the folder that it will run in
 */
export function copiedSessionPath(adapter: CopyingAdapter, sessionId: string, cwd: string): string {
  const { folder } = SESSION_FILES[adapter]
  switch (adapter) {
    case 'claude':
      return `${folder}/${claudeProject(cwd)}/${sessionId}.jsonl`
    case 'codex':
      // It finds a session by the id in the name, whatever the date. A further copy is to replace the first.
      return `${folder}/2000/01/01/rollout-2000-01-01T00-00-00-${sessionId}.jsonl`
    default:
      return adapter satisfies never
  }
}

/** The name that claude gives to the sessions of a folder. @param cwd absolute path without links */
export function claudeProject(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9]/g, '-')
}

/** Ids of sessions as these CLIs make them; what an agent says of its session may be anything. */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Largest file of a session that is given out. */
export const MAX_SESSION_BYTES = 64 * 1024 * 1024

/** Largest file of a session that is kept for tasks that go on from it. */
export const MAX_COPIED_SESSION_BYTES = 16 * 1024 * 1024
