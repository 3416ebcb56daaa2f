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
import { compareTrees, writeNoChanges } from './changes.ts'
import { nameCommits } from './commit-names.ts'
import { copyObjects } from './copy-objects.ts'
import { findHidden } from './hidden-commits.ts'
import { findProtected } from './protected.ts'
import { readRawChanges } from './raw-changes.ts'

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

/** {@link reviewWork} for one execution. */
export type Reviewer = (reviewed: Reviewed) => Promise<Review>

/**
 * Remembers the last review of each diff: it depends on the names of commits alone, and if nobody has pushed meanwhile, what
 * the agent left is what is pushed.
 */
export function createReviewer(context: StepContext, signal: AbortSignal): Reviewer {
  const last = new Map<string, { readonly asked: object; readonly review: Review }>()
  return async (reviewed) => {
    const { from: _, inspect, diff = 'diff', ...asked } = reviewed
    const before = last.get(diff)
    if (before !== undefined && inspect === undefined && isDeepStrictEqual(before.asked, asked)) return before.review
    // What fails may have written another diff.
    last.delete(diff)
    const review = await reviewWork(context, reviewed, signal)
    last.set(diff, { asked, review })
    return review
  }
}

/**
 * Computes the review of a commit, and writes its diff.
 *
 * @throws GitFailed; StepFailed when the commit does not go back to its base
 */
export async function reviewWork(context: StepContext, reviewed: Reviewed, signal: AbortSignal): Promise<Review> {
  const { from, head, base, pushes, diff = 'diff' } = reviewed
  const against = base.kind === 'mergeBase' ? base.tip : base.commit
  const file = EXECUTION_FILES[diff]
  if (head === against) return { head, baseCommit: head, commits: [], changes: await writeNoChanges(context, file) }
  const gitDir = join(await mkdtemp(join(context.tmp, 'review-')), 'review.git')
  await initBare(gitDir, head, signal)
  const options = { gitDir, signal }
  const history = { select: ['--revs', '--filter=tree:0'], list: `${head}\n${against}\n` }
  await copyObjects({ from, to: gitDir, name: 'commits', ...history }, signal)
  const baseCommit = await findBase(options, base, head)
  const graph = await readGraph(options, head, against)
  await copyTrees({ from, gitDir, head, against, baseCommit }, graph, signal)
  const changes = await compareTrees(context, options, { base: baseCommit, head, file })
  // The trees are known to be small enough to be listed now.
  const entries = await readRawChanges(options, ['diff-tree', '-r', baseCommit, head])
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
      ? `has no commit in common with the default branch (${shortCommit(against)})`
      : `does not contain ${shortCommit(against)}, which the branch held before this task`
  throw new StepFailed(
    'git',
    `the work at ${shortCommit(head)} ${lack}: commits that were already pushed were rewritten; nothing was pushed and the clone is kept: run the task again for a fresh clone`,
  )
}

async function readGraph(options: GitOptions, head: string, against: string): Promise<CommitGraph> {
  const lines = await gitText(['rev-list', '--topo-order', '--parents', head, `^${against}`], options)
  const commits = lines.split('\n').map((line) => line.split(' '))
  return new Map(commits.flatMap(([commit = '', ...parents]) => (commit === '' ? [] : [[commit, parents] as const])))
}

/** Copies head and base with their whole trees, what the commits between them brought, and what those are compared with. */
async function copyTrees(
  { from, gitDir, head, against, baseCommit }: Record<'from' | 'gitDir' | 'head' | 'against' | 'baseCommit', string>,
  graph: CommitGraph,
  signal: AbortSignal,
): Promise<void> {
  const list = async (commits: readonly string[], ...how: string[]): Promise<Buffer> => {
    const args = ['rev-list', '--objects', '--no-object-names', ...how, '--stdin']
    return (await git(args, { gitDir: from, input: `${commits.join('\n')}\n`, signal })).stdout
  }
  const parents = [...graph.values()].flat().filter((commit) => !graph.has(commit))
  const lists = [
    await list([baseCommit, head], '--no-walk'),
    await list([head, `^${against}`]),
    await list([baseCommit, ...parents], '--no-walk', '--filter=blob:none'),
  ]
  await copyObjects({ from, to: gitDir, name: 'trees', list: Buffer.concat(lists) }, signal)
}

async function nameForeign(options: GitOptions, foreign: readonly string[]): Promise<Findings> {
  if (foreign.length === 0) return {}
  const foreignCommits = await nameCommits(options, foreign.slice(0, RESULT_LIMITS.namedCommits))
  return { foreignCommits, foreignCommitCount: foreign.length }
}
