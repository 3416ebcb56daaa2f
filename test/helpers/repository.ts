import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Real git repositories for tests: no configuration of the person who runs them counts. */

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
}

/** Runs git in a folder and answers its stdout, trimmed. */
export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

export type Files = Readonly<Record<string, string>>

export interface Remote {
  /** Path of the bare repository; its default branch is `main`. */
  readonly path: string
  /** Commits files onto a branch, made from main where it is missing; answers the commit. */
  readonly commit: (branch: string, files: Files, message?: string) => string
  readonly git: (...args: string[]) => string
}

/** A bare repository below `folder`, with one commit on main unless `files` is undefined (then it is empty). */
export function makeRemote(folder: string, files?: Files): Remote {
  const path = join(folder, 'remote.git')
  mkdirSync(path, { recursive: true })
  gitIn(path, 'init', '--quiet', '--bare', '--initial-branch=main')
  const commit = (branch: string, added: Files, message = 'change'): string =>
    commitThrough(path, branch, added, message)
  if (files !== undefined) commit('main', files, 'first')
  return { path, commit, git: (...args) => gitIn(path, ...args) }
}

function commitThrough(remote: string, branch: string, files: Files, message: string): string {
  const work = mkdtempSync(join(tmpdir(), 'slipway-commit-'))
  try {
    gitIn(work, 'clone', '--quiet', remote, '.')
    const exists = gitIn(work, 'branch', '--remotes', '--list', `origin/${branch}`) !== ''
    gitIn(work, 'checkout', '--quiet', '-B', branch, ...(exists ? [`origin/${branch}`] : []))
    writeFiles(work, files)
    gitIn(work, 'add', '--all')
    gitIn(work, 'commit', '--quiet', '--message', message)
    gitIn(work, 'push', '--quiet', 'origin', branch)
    return gitIn(work, 'rev-parse', 'HEAD')
  } finally {
    rmSync(work, { recursive: true })
  }
}

function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}
