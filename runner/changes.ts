/**
 * What an execution changed, told without believing the clone.
 *
 * `view` sees the clone's objects as alternates; enough to walk its history and to push, since the remote checks
 * every object by its hash. A diff shown to people is another matter: a forged pack index could make it show less than
 * was pushed. So the two trees are first copied into `vault`, a repository without alternates, whose pack is indexed
 * afresh (each object's name is computed from its content), and the diff is made there.
 */
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parseShortstat } from '../core/transcript/diffstat.ts'
import type { ChangeStatistics } from '../core/transcript/diffstat.ts'
import { EXECUTION_FILES } from '../core/execution/layout.ts'
import { git, gitText } from '../lib/git.ts'
import type { GitOptions } from '../lib/git.ts'
import { initBare, makeView } from '../lib/git-untrusted.ts'
import type { StepContext } from './context.ts'
import { StepFailed } from './failure.ts'
import { MAX_DIFF_BYTES, MAX_NAMES_BYTES } from './limits.ts'

/** Commits told in a result, at most (its schema). */
const MAX_COMMITS = 200

const NO_CHANGES: ChangeStatistics = { files: 0, insertions: 0, deletions: 0 }

export interface CloneChanges {
  /** GIT_DIR of the view, to push from. */
  readonly view: string
  readonly head: string
  /** Newest first. */
  readonly commits: string[]
  readonly changes: ChangeStatistics
}

/**
 * Reads the clone's HEAD, checks that it contains `base`, and writes the diff between them to changes.diff.
 *
 * @throws UntrustedClone, GitFailed, StepFailed
 */
export async function readChanges(context: StepContext, base: string, signal: AbortSignal): Promise<CloneChanges> {
  const view = join(context.tmp, 'view.git')
  const { commit: head } = await makeView(context.paths.clone, view, signal)
  const options = { gitDir: view, signal }
  await requireBase(options, base, head)
  const range = await gitText(['rev-list', `--max-count=${MAX_COMMITS}`, `${base}..${head}`], options)
  const vault = join(context.tmp, 'vault.git')
  await initBare(vault, head, signal)
  await copyTrees(view, vault, [base, head], signal)
  await requireListable({ gitDir: vault, signal }, head)
  const changes = await writeDiff(context, { gitDir: vault, signal }, base, head)
  return { view, head, commits: range.split('\n').filter((line) => line !== ''), changes }
}

async function requireBase(options: GitOptions, base: string, head: string): Promise<void> {
  const { exitCode } = await git(['merge-base', '--is-ancestor', base, head], { ...options, answers: [1] })
  if (exitCode === 0) return
  throw new StepFailed(
    'git',
    `the clone's HEAD ${head.slice(0, 12)} does not contain the task's base ${base.slice(0, 12)}: the history was rewritten; run the task again for a fresh clone`,
  )
}

/** Copies commits with their whole trees, not their history. Fails when an object is missing or not what it claims. */
async function copyTrees(from: string, to: string, commits: readonly string[], signal: AbortSignal): Promise<void> {
  const list = await git(['rev-list', '--objects', '--no-object-names', '--no-walk', ...commits], {
    gitDir: from,
    signal,
  })
  const path = join(to, 'objects', 'trees.pack')
  const pack = await open(path, 'wx+')
  try {
    await git(['pack-objects', '--quiet', '--stdout', '--delta-base-offset'], {
      gitDir: from,
      input: list.stdout,
      output: pack,
      signal,
    })
  } finally {
    await pack.close()
  }
  const name = join(to, 'objects', 'pack', 'pack-trees')
  await git(['index-pack', '-o', `${name}.idx`, path], { gitDir: to, signal })
  await rename(path, `${name}.pack`)
}

/** A diff holds the names of all changed files in memory at once; listing them does not. */
async function requireListable(options: GitOptions, head: string): Promise<void> {
  const nowhere = await open('/dev/null', 'w')
  try {
    const names = ['ls-tree', '-r', '--name-only', '-z', head]
    const { isCut } = await git(names, { ...options, output: nowhere, maxOutputBytes: MAX_NAMES_BYTES })
    if (isCut) throw new StepFailed('git', `the clone's HEAD ${head.slice(0, 12)} holds too many files to be compared`)
  } finally {
    await nowhere.close()
  }
}

async function writeDiff(
  context: StepContext,
  options: GitOptions,
  base: string,
  head: string,
): Promise<ChangeStatistics> {
  const file = await open(join(context.paths.execution, EXECUTION_FILES.diff), 'w', 0o644)
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color']
  try {
    const limited = { ...options, output: file, maxOutputBytes: MAX_DIFF_BYTES }
    const { isCut } = await git(['diff', ...plain, '--full-index', base, head, '--'], limited)
    if (isCut) await file.writeFile(`\n[cut after ${MAX_DIFF_BYTES} bytes; the commits hold all of it]\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return parseShortstat(await gitText(['diff', ...plain, '--shortstat', base, head, '--'], options)) ?? NO_CHANGES
}
