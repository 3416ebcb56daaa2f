/** What work changes of the paths that its project protects (Project.spec.protectedPaths). */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { joinZero, splitZero } from './clone-git.ts'
import { toShownPath } from './commit-names.ts'

/** Names that git is asked about together. */
const AT_A_TIME = 10_000

/** Stands before each name: git would take a colon at its beginning for the mark of a pattern. */
const HERE = './'

/**
 * Lists the changes whose path one of the patterns matches. The patterns are those of .gitignore, so git itself matches
 * them, in a folder without any file. A rename is two changes.
 *
 * @param options of a repository that can be trusted, of which nothing is checked out
 */
export async function findProtected(
  { patterns = [], tmp }: { readonly patterns: readonly string[] | undefined; readonly tmp: string },
  options: GitOptions,
  changes: readonly RawChange[],
): Promise<Pick<ExecutionResult, 'protectedChanges'>> {
  if (patterns.length === 0 || changes.length === 0) return {}
  const folder = await mkdtemp(join(tmp, 'protected-'))
  const file = join(folder, 'patterns')
  const empty = await mkdtemp(join(folder, 'empty-'))
  await writeFile(file, patterns.map((pattern) => `${pattern}\n`).join(''))
  const asked: GitOptions = {
    ...options,
    cwd: empty,
    env: { ...options.env, GIT_WORK_TREE: empty },
    config: [...(options.config ?? []), ['core.excludesFile', file]],
    answers: [1],
  }
  const paths = [...new Set(changes.map(({ path }) => path))]
  // No repository should have such a name, and git refuses to look at it.
  const found = paths.filter(isOdd)
  const plain = paths.filter((path) => !isOdd(path))
  for (let at = 0; at < plain.length; at += AT_A_TIME) {
    const input = joinZero(plain.slice(at, at + AT_A_TIME).map((path) => `${HERE}${path}`))
    const { stdout } = await git(['check-ignore', '--no-index', '-z', '--stdin'], { ...asked, input })
    found.push(...splitZero(stdout).map((path) => path.slice(HERE.length)))
  }
  if (found.length === 0) return {}
  const shown = found.sort().slice(0, RESULT_LIMITS.protectedPaths).map(toShownPath)
  return { protectedChanges: { count: found.length, paths: shown } }
}

function isOdd(path: string): boolean {
  return path.split('/').some((name) => ['', '.', '..'].includes(name) || name.toLowerCase() === '.git')
}
