/**
 * What an execution changed, without trust in the clone.
 *
 * `view` has the clone's objects as alternates. That is enough to walk its history and to push, because the remote checks
 * the hash of every object. It is not enough for a diff that people see: a forged pack index could make the diff show less
 * than was pushed. So the two trees are first copied into `verified`, a repository without alternates. Its pack is indexed
 * anew, which computes each object's name from its content, and the diff is made there.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { parseShortstat } from '../../core/transcript/diffstat.ts'
import type { ChangeStatistics } from '../../core/transcript/diffstat.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { ExecutionError, Undelivered } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { git, gitText } from '../../lib/git.ts'
import type { GitOptions } from '../../lib/git.ts'
import { initBare, makeView } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { copyObjects } from './copy-objects.ts'
import { StepFailed } from '../failure.ts'
import { MAX_DIFF_BYTES } from '../limits.ts'
import { requireListable } from './listable.ts'
import { findLooseGitlinks, readRawChanges } from './raw-changes.ts'
import { findTotalLoss } from './undelivered.ts'

const NO_CHANGES: ChangeStatistics = { files: 0, insertions: 0, deletions: 0 }

/** Commits since a base, and how their trees differ from it. */
export interface Changes {
  readonly head: string
  /** Newest first; at most 200. */
  readonly commits: string[]
  readonly changes: ChangeStatistics
}

/** A branch that is not at the commit that was reviewed; the message names both. */
export class Moved extends StepFailed {
  /** What it would bring now. */
  readonly found: Changes

  constructor(message: string, found: Changes) {
    super('git', message)
    this.found = found
  }
}

export interface CloneChanges extends Changes {
  /** GIT_DIR of the view, to push from. */
  readonly view: string
  /** What of it nobody can fetch. */
  readonly undelivered: readonly Undelivered[]
  /** The failure, if that is all of it. */
  readonly loss: ExecutionError | undefined
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
  const commits = await listCommits(options, base, head)
  const verified = join(context.tmp, 'verified.git')
  await initBare(verified, head, signal)
  await copyTrees(view, verified, [base, head], signal)
  const trees = { gitDir: verified, signal }
  await requireListable(trees, base)
  const changes = await compareTrees(context, trees, base, head)
  const entries = await readRawChanges(trees, ['diff-tree', '-r', base, head])
  const undelivered = await findLooseGitlinks(trees, head, entries)
  return { view, head, commits, changes, undelivered, loss: findTotalLoss(entries, undelivered) }
}

/**
 * Does the same for two commits of a repository of our own, which is trusted.
 *
 * @throws GitFailed, StepFailed
 */
export async function compare(context: StepContext, options: GitOptions, base: string, head: string): Promise<Changes> {
  const commits = await listCommits(options, base, head)
  return { head, commits, changes: await compareTrees(context, options, base, head) }
}

async function listCommits(options: GitOptions, base: string, head: string): Promise<string[]> {
  const range = await gitText(['rev-list', `--max-count=${RESULT_LIMITS.commits}`, `${base}..${head}`], options)
  return range.split('\n').filter((line) => line !== '')
}

async function compareTrees(context: StepContext, options: GitOptions, base: string, head: string) {
  await requireListable(options, head)
  return writeDiff(context, options, base, head)
}

async function requireBase(options: GitOptions, base: string, head: string): Promise<void> {
  const { exitCode } = await git(['merge-base', '--is-ancestor', base, head], { ...options, answers: [1] })
  if (exitCode === 0) return
  throw new StepFailed(
    'git',
    `the clone's HEAD ${head.slice(0, 12)} does not contain the task's base ${base.slice(0, 12)}: the history was rewritten; run the task again for a fresh clone`,
  )
}

/** Copies commits with their whole trees, not their history. */
async function copyTrees(from: string, to: string, commits: readonly string[], signal: AbortSignal): Promise<void> {
  const args = ['rev-list', '--objects', '--no-object-names', '--no-walk', ...commits]
  const { stdout } = await git(args, { gitDir: from, signal })
  await copyObjects({ from, to, name: 'trees', list: stdout }, signal)
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
