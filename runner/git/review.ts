/**
 * What accepting work adds, without trust in the repository that the work is in.
 *
 * An agent may have written that repository's objects. A forged pack index could make a history shorter or a diff smaller
 * than what is pushed. So commits and trees are first copied into a repository of our own: its packs are indexed anew, which
 * computes each object's name from its content, and all that a person is shown is computed there.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { type CommitGraph, type Push, type ReviewBase, findForeignCommits } from '../../core/review/commits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { shortCommit } from '../../core/text.ts'
import type { ChangeStatistics } from '../../core/transcript/diffstat.ts'
import { type GitOptions, git, gitText } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { findBulk } from './bulk.ts'
import { writeDiff, writeNoChanges } from './changes.ts'
import { nameCommits } from './commit-names.ts'
import { copyCommits, copyObjects, toLines } from './copy-objects.ts'
import { findGitmodules } from './gitmodules.ts'
import { findHidden } from './hidden-commits.ts'
import { requireListable } from './listable.ts'
import { findProtected } from './protected.ts'
import { isFile, isGitlink, readRawChanges } from './raw-changes.ts'

export type Findings = Pick<
  ExecutionResult,
  'foreignCommits' | 'foreignCommitCount' | 'hiddenCommits' | 'bulk' | 'protectedChanges'
>

/** What a reviewer is shown: all that accepting adds. */
export interface Review extends Findings {
  readonly head: string
  /** What the diff is against. */
  readonly baseCommit: string
  /** Newest first; at most 200. */
  readonly commits: string[]
  readonly changes: ChangeStatistics
}

/** What a person reviewed is not what a delivery would bring; the message says why. */
export class Moved extends StepFailed {
  /** What it would bring now. */
  readonly found: Review

  constructor(message: string, found: Review) {
    super('git', message)
    this.found = found
  }
}

export interface Reviewed {
  /** GIT_DIR of a repository that has the commits; it need not be trusted. */
  readonly from: string
  readonly head: string
  readonly base: ReviewBase
  /** Pushes of ours to the branch, with the one that is about to be made. */
  readonly pushes: readonly Push[]
  readonly diff?: 'diff' | 'branchDiff'
  /** Looks at how the trees of base and head differ, in a repository that can be trusted. */
  readonly inspect?: (trees: GitOptions, entries: readonly RawChange[]) => Promise<void>
}

/** What the diff is of, and the objects that its commits brought, in a repository that can be trusted. */
interface Shown {
  readonly gitDir: string
  readonly entries: readonly RawChange[]
  readonly brought: ReadonlySet<string>
}

/** A mirror that has a part of what is reviewed, which then need not be copied. */
export interface Mirrored {
  /** Its objects: the path of their folder. */
  readonly borrowed?: string | undefined
  /** Commits that it may have. */
  readonly known: readonly string[]
}

/** {@link reviewWork} for one execution. */
export type Reviewer = (reviewed: Reviewed) => Promise<Review>

/**
 * Remembers the last review of each diff: it depends on the names of commits alone, and if nobody has pushed meanwhile, what
 * the agent left is what is pushed.
 */
export function createReviewer(context: StepContext, mirrored: Mirrored, signal: AbortSignal): Reviewer {
  const last = new Map<string, { readonly asked: object; readonly review: Review }>()
  return async (reviewed) => {
    const { from: _, inspect, diff = 'diff', ...asked } = reviewed
    const before = last.get(diff)
    if (before !== undefined && inspect === undefined && isDeepStrictEqual(before.asked, asked)) return before.review
    // What fails may have written another diff.
    last.delete(diff)
    const review = await reviewWork(context, reviewed, signal, mirrored)
    last.set(diff, { asked, review })
    return review
  }
}

/**
 * Computes the review of a commit, and writes its diff.
 *
 * @throws GitFailed; StepFailed when the commit does not go back to its base
 */
export async function reviewWork(
  context: StepContext,
  reviewed: Reviewed,
  signal: AbortSignal,
  { borrowed, known }: Mirrored,
): Promise<Review> {
  const { from, head, base, pushes, diff = 'diff' } = reviewed
  const against = base.kind === 'mergeBase' ? base.tip : base.commit
  const file = EXECUTION_FILES[diff]
  if (head === against) return { head, baseCommit: head, commits: [], changes: await writeNoChanges(context, file) }
  const gitDir = join(await mkdtemp(join(context.tmp, 'review-')), 'review.git')
  await initBare(gitDir, head, signal, borrowed)
  const options = { gitDir, signal }
  const history = { commits: [head, against], known: [against, ...known], select: ['--filter=tree:0'] }
  await copyCommits({ from, to: gitDir, name: 'commits', ...history }, signal)
  const baseCommit = await findBase(options, base, head)
  const graph = await readGraph(options, head, against)
  const brought = await copyTrees({ from, gitDir, head, against, baseCommit }, graph, signal)
  for (const commit of [baseCommit, head]) await requireListable(options, commit)
  const entries = await readRawChanges(options, ['diff-tree', '-r', baseCommit, head])
  await copyContents({ from, gitDir, head, entries, brought }, signal)
  const changes = await writeDiff(context, options, { base: baseCommit, head, file })
  await reviewed.inspect?.(options, entries)
  const foreign = findForeignCommits(graph, pushes)
  return {
    head,
    baseCommit,
    commits: [...graph.keys()].slice(0, RESULT_LIMITS.commits),
    changes,
    ...(await nameForeign(options, foreign)),
    ...(await findBulk(options, entries)),
    // Of a story's branch each task says it of its own work.
    ...(diff === 'diff'
      ? await findProtected({ patterns: context.run.protectedPaths, tmp: context.tmp }, options, entries)
      : {}),
    ...(await findHidden(options, [head, `^${against}`], entries)),
  }
}

async function findBase(options: GitOptions, base: ReviewBase, head: string): Promise<string> {
  const against = base.kind === 'mergeBase' ? base.tip : base.commit
  const { exitCode, stdout } = await git(['merge-base', against, head], { ...options, answers: [1] })
  const found = exitCode === 0 ? stdout.toString('utf8').trim() : undefined
  if (found !== undefined && (base.kind === 'mergeBase' || found === base.commit)) return found
  const lack =
    base.kind === 'mergeBase'
      ? `has no commit in common with the default branch (${shortCommit(against)}): its history was begun anew, or the repository replaced by another`
      : `does not contain ${shortCommit(against)}, which the branch held before this task: commits that were already pushed were rewritten`
  throw new StepFailed(
    'git',
    `the work at ${shortCommit(head)} ${lack}; nothing was pushed and the clone is kept: run the task again for a fresh clone`,
  )
}

async function readGraph(options: GitOptions, head: string, against: string): Promise<CommitGraph> {
  const lines = await gitText(['rev-list', '--topo-order', '--parents', head, `^${against}`], options)
  const commits = lines.split('\n').map((line) => line.split(' '))
  return new Map(commits.flatMap(([commit = '', ...parents]) => (commit === '' ? [] : [[commit, parents] as const])))
}

/**
 * Copies the folders of head, of base and of what the commits between them are compared with, and all that those commits
 * brought. @returns the names of what they brought
 */
async function copyTrees(
  { from, gitDir, head, against, baseCommit }: Record<'from' | 'gitDir' | 'head' | 'against' | 'baseCommit', string>,
  graph: CommitGraph,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const list = async (commits: readonly string[], ...how: string[]): Promise<string[]> => {
    const args = ['rev-list', '--objects', '--no-object-names', ...how, '--stdin']
    const names = await gitText(args, { gitDir: from, input: toLines(commits), signal })
    return names === '' ? [] : names.split('\n')
  }
  const parents = [...graph.values()].flat().filter((commit) => !graph.has(commit))
  const folders = await list([baseCommit, head, ...parents], '--no-walk', '--filter=blob:none')
  const brought = await list([head, `^${against}`])
  await copyObjects({ from, to: gitDir, name: 'trees', list: toLines([...folders, ...brought]) }, signal)
  return new Set(brought)
}

/**
 * Copies the contents that the diff shows, without those that the commits brought. All that it does not show, most of a
 * repository, is not needed.
 */
async function copyContents(
  { from, gitDir, head, entries, brought }: Pick<Reviewed, 'from' | 'head'> & Shown,
  signal: AbortSignal,
): Promise<void> {
  const shown = entries.flatMap(({ modes: [before, after], objects: [was, is] }) => [
    ...(isFile(before) ? [was] : []),
    ...(isFile(after) ? [is] : []),
  ])
  // What a gitlink is stands in a file that need not have changed.
  const gitmodules = entries.some(isGitlink) ? await findGitmodules({ gitDir, signal }, head) : []
  const missing = [...new Set([...shown, ...gitmodules])].filter((object) => !brought.has(object))
  if (missing.length === 0) return
  await copyObjects({ from, to: gitDir, name: 'contents', list: toLines(missing) }, signal)
}

async function nameForeign(options: GitOptions, foreign: readonly string[]): Promise<Findings> {
  if (foreign.length === 0) return {}
  const foreignCommits = await nameCommits(options, foreign.slice(0, RESULT_LIMITS.namedCommits))
  return { foreignCommits, foreignCommitCount: foreign.length }
}
