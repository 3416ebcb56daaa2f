import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

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
  const commit = (branch: string, added: Files, message = 'change'): string => commitInto(path, branch, added, message)
  if (files !== undefined) commit('main', files, 'first')
  return { path, commit, git: (...args) => gitIn(path, ...args) }
}

/** In two processes; a clone with a commit and a push takes about twenty, and most tests of the runner begin with some. */
function commitInto(remote: string, branch: string, files: Files, message: string): string {
  const refs = gitAnswer(remote, ['show-ref', '--head'])
  const isThere = (name: string): boolean => refs.split('\n').some((line) => line.endsWith(` ${name}`))
  const ref = `refs/heads/${branch}`
  const base = [ref, 'HEAD'].find(isThere)
  const stream = [
    `commit ${ref}\nmark :1`,
    `committer ${ENVIRONMENT.GIT_COMMITTER_NAME} <${ENVIRONMENT.GIT_COMMITTER_EMAIL}> now`,
    dataOf(`${message}\n`),
    ...(base === undefined ? [] : [`from ${base}^0`]),
    ...Object.entries(files).map(([name, content]) => `M 100644 inline ${JSON.stringify(name)}\n${dataOf(content)}`),
    'get-mark :1\n',
  ]
  return gitAnswer(remote, ['fast-import', '--quiet', '--date-format=now'], stream.join('\n'))
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}

/** Also where the answer is no, which is the exit code 1. */
function gitAnswer(folder: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env: ENVIRONMENT, encoding: 'utf8', input })
  if (status !== 0 && status !== 1) throw new Error(`git ${args[0]}: ${stderr}`)
  return stdout.trim()
}
