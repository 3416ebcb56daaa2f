/** Rebases an execution's commits so that they can be pushed to their branch as it is on the remote now. */
import type { RebaseReport } from '../../core/execution/result.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { ownBranch } from '../../core/names.ts'
import type { Push } from '../../core/review/commits.ts'
import { shortCommit } from '../../core/text.ts'
import { git, gitText, isAncestor } from '../../lib/git.ts'
import { type Combined, rebase } from './merge.ts'
import type { StepContext } from '../context.ts'
import { Conflict, StepFailed } from '../failure.ts'
import { copyCommits } from './copy-objects.ts'
import type { GitAccess } from './access.ts'
import type { Review, Reviewer } from './review.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'
import { type ScratchRepository, countCommits, fetchBranch, openScratchRepository } from './scratch-repository.ts'

/** The commit that a clone started from. */
export interface CloneStart {
  readonly commit: string
  /** Whether that was the task's branch as the remote had it, rather than its base. */
  readonly isFromBranch: boolean
}

/** Whether other tasks push to the branch as well. */
export function isShared(run: RunSpec): boolean {
  return run.isShared ?? run.branch !== ownBranch(run.task)
}

/** What an agent left in its clone. */
export interface Work {
  readonly review: Reviewer
  readonly clone: Review
  /** GIT_DIR of a repository that sees the clone's objects. */
  readonly view: string
  /** Objects of the mirror that the clone borrows from, if it does: the path of their folder. */
  readonly borrowed?: string | undefined
  /** What the task's first run started from. */
  readonly base: string
  /** What this clone started from; the same unless an earlier execution has pushed. */
  readonly start: CloneStart
  /** The default branch as it knew that. */
  readonly tip: string
  /** The push that brought the clone's HEAD to the branch, should it be there already: an earlier Job made it. */
  readonly push: Push | undefined
}

/** The commits that the work is based on. */
export function startsOf({ base, start, tip }: Pick<Work, 'base' | 'start' | 'tip'>): readonly string[] {
  return [base, start.commit, tip]
}

export interface PushJob {
  readonly context: StepContext
  readonly access: GitAccess
  readonly work: Work
  readonly signal: AbortSignal
}

/** A commit that can be pushed, as far as is known. */
export interface Candidate {
  readonly gitDir: string
  readonly commit: string
  /** What the branch is at. */
  readonly found?: string | undefined
  /** The default branch's commit that it was rebased onto. */
  readonly base?: string
  /** The only commit that the push may replace; absent: it replaces none. */
  readonly lease?: string
  /** What a story's task is compared with from now on, if not with the same as before. */
  readonly since?: string
  /** Whether the branch has all of the work already. */
  readonly isThere?: boolean
  readonly report?: RebaseReport | undefined
}

/**
 * Gives the clone's HEAD if it can be pushed as it is. Otherwise it is rebased: onto the branch, or, if the branch is not
 * on the remote yet, onto the base.
 *
 * @throws Conflict, StepFailed when the branch has moved and the work cannot follow; GitFailed
 */
export async function makePushable(job: PushJob, remote: RemoteBranches): Promise<Candidate> {
  const { run } = job.context
  const there = remote.commits.get(run.branch)
  const base = run.baseBranch ?? remote.defaultBranch
  const tip = base === undefined ? undefined : remote.commits.get(base)
  if (there !== undefined) return pushOntoBranch(job, there, tip)
  if (base === undefined || tip === undefined) return unchanged(job, undefined)
  return (await isInClone(job, tip)) ? unchanged(job, upToDate(tip)) : rebaseOntoBase(job, base)
}

function isInClone({ work: { clone, view }, signal }: PushJob, commit: string): Promise<boolean> {
  return isAncestor({ gitDir: view, signal }, commit, clone.head)
}

function unchanged({ work: { clone, view } }: PushJob, report: RebaseReport | undefined, found?: string): Candidate {
  return { gitDir: view, commit: clone.head, found, report }
}

/** Whether the agent has replaced commits of the branch, which is still where this work, or its task's last push, had it. */
export async function isRewritten(job: PushJob, there: string | undefined): Promise<boolean> {
  if (there === undefined || (await isInClone(job, there))) return false
  const { start } = job.work
  if (start.isFromBranch && start.commit === there) return true
  const last = ownPushes(job.context.run).at(-1)
  return last?.head === there && !(await isUnseen(job, last))
}

type OwnPush = NonNullable<RunSpec['pushes']>[number]

/** Those of this task, oldest first: what another task of a story has pushed, this clone need not have. */
function ownPushes({ pushes = [] }: RunSpec): readonly OwnPush[] {
  return pushes.filter(({ isOwn }) => isOwn !== false)
}

/** Whether a push of ours stands on commits of others that the clone has never had: it was rebased when it was delivered. */
async function isUnseen(job: PushJob, { from, found }: OwnPush): Promise<boolean> {
  return from !== undefined && found !== undefined && !(await isInClone(job, found))
}

function upToDate(onto: string): RebaseReport {
  return { result: 'UpToDate', onto }
}

/** If a task's own branch is on the remote already, it is not rewritten, however far its base has moved. */
async function reportPushed(job: PushJob, tip: string): Promise<RebaseReport> {
  if (await isInClone(job, tip)) return upToDate(tip)
  return behind(tip, `branch ${job.context.run.branch} was pushed before, so Slipway does not rebase it`)
}

function behind(onto: string, reason: string): RebaseReport {
  return { result: 'Behind', onto, message: `${reason}; merge the base into it where that matters` }
}

/** If the branch is on the remote, its commits stay as they are. */
async function pushOntoBranch(job: PushJob, there: string, tip: string | undefined): Promise<Candidate> {
  const { run } = job.context
  const report = async (): Promise<RebaseReport> =>
    isShared(run) || tip === undefined ? upToDate(there) : reportPushed(job, tip)
  if (await isRewritten(job, there)) {
    if (isShared(run)) throw new StepFailed('git', formatRewrittenMessage(job, there))
    return { ...unchanged(job, await report()), lease: there }
  }
  if (!(await isInClone(job, there))) return rebaseOntoBranch(job)
  const { start, view } = job.work
  // This push would bring back what somebody has removed from the branch.
  if (start.isFromBranch && !(await isAncestor({ gitDir: view, signal: job.signal }, start.commit, there))) {
    throw new StepFailed('git', `${formatMovedMessage(job, there)}, and ${REWRITTEN}; ${WAY_OUT}`)
  }
  return unchanged(job, await report(), there)
}

function formatRewrittenMessage({ context: { run }, access }: PushJob, there: string): string {
  return `commits that were already pushed were rewritten: branch ${run.branch} on ${access.url} is at ${shortCommit(there)}, which this work does not contain. The branch is a story's, and other tasks build on it, so nothing is replaced there; nothing was pushed and the clone is kept: run the task again and ask for new commits on top of the old ones, or push the clone yourself`
}

async function rebaseOntoBranch(job: PushJob): Promise<Candidate> {
  const { context, access, work } = job
  const scratch = await openWithClone(job)
  const onto = await fetchBranch(scratch, access, context.run.branch)
  const moved = formatMovedMessage(job, onto)
  const isLost = work.start.isFromBranch && !(await isAncestor(scratch, work.start.commit, onto))
  const obstacle = isLost ? REWRITTEN : await findMerge(scratch, work, onto)
  if (obstacle !== undefined) throw new StepFailed('git', `${moved}, and ${obstacle}; ${WAY_OUT}`)
  const rebased = await replay(job, scratch, onto)
  if (rebased.kind === 'clean') return rebasedCandidate(job, scratch, { onto, found: onto }, rebased.commit)
  throw new Conflict(`${moved}, and this work conflicts with it in`, WAY_OUT, onto, rebased.files)
}

function formatMovedMessage({ context: { run }, access }: PushJob, onto: string): string {
  return `branch ${run.branch} on ${access.url} has moved on to ${shortCommit(onto)} meanwhile`
}

const REWRITTEN = 'it was rewritten there and lacks what this work started from'

const WAY_OUT =
  'nothing was pushed and the clone is kept: run the task again to do the work anew from the branch as it is now, or push the clone yourself'

/** Only the reviewer needs this rebase. If it is not possible, the work is pushed as it is and the report says so. */
async function rebaseOntoBase(job: PushJob, branch: string): Promise<Candidate> {
  const { access, work } = job
  const scratch = await openWithClone(job)
  const onto = await fetchBranch(scratch, access, branch)
  const isKnown = await isAncestor(scratch, work.start.commit, onto)
  const obstacle = isKnown ? await findMerge(scratch, work, onto) : REWRITTEN
  if (obstacle !== undefined) return unchanged(job, behind(onto, `${branch} has moved on, and ${obstacle}`))
  const rebased = await replay(job, scratch, onto)
  if (rebased.kind === 'clean') return rebasedCandidate(job, scratch, { onto, base: onto }, rebased.commit)
  const message = `conflicts with ${branch}, which has moved on since the work began`
  return unchanged(job, { result: 'Conflict', onto, files: [...rebased.files], message })
}

/** Rebases the commits of the clone that it did not start from and that `onto` does not have. */
async function replay({ context, work }: PushJob, scratch: ScratchRepository, onto: string): Promise<Combined> {
  const { clone, start } = work
  const common = await gitText(['merge-base', onto, clone.head], scratch)
  const known = (await isAncestor(scratch, start.commit, common)) ? common : start.commit
  const since = (await findRebased(context.run, scratch, { head: clone.head, onto })) ?? known
  return rebase(context, scratch, { head: clone.head, since, onto })
}

/** The commit of the clone that `onto` has in the form that an earlier delivery gave it. */
async function findRebased(
  run: RunSpec,
  scratch: ScratchRepository,
  { head, onto }: { readonly head: string; readonly onto: string },
): Promise<string | undefined> {
  for (const push of ownPushes(run).toReversed()) {
    const kept = push.from ?? push.head
    if ((await isAncestor(scratch, push.head, onto)) && (await isAncestor(scratch, kept, head))) return push.from
  }
  return undefined
}

/** Each try needs a new repository, because a rebase leaves state behind. */
async function openWithClone({ context, work, signal }: PushJob): Promise<ScratchRepository> {
  const { clone, view, borrowed } = work
  const scratch = await openScratchRepository(context, clone.head, signal, borrowed)
  const copy = { from: view, to: scratch.gitDir, name: 'clone', commits: [clone.head], known: startsOf(work) }
  await copyCommits(copy, signal)
  // With this ref a fetch transfers only what the clone did not have.
  await git(['update-ref', 'refs/slipway/clone', clone.head], scratch)
  return scratch
}

async function findMerge(options: ScratchRepository, { clone }: Work, onto: string): Promise<string | undefined> {
  const merges = await gitText(['rev-list', '--merges', '--max-count=1', `${onto}..${clone.head}`], options)
  return merges === '' ? undefined : `this work is not rebased because it has the merge commit ${shortCommit(merges)}`
}

async function rebasedCandidate(
  { work, context }: PushJob,
  scratch: ScratchRepository,
  { onto, ...before }: { readonly onto: string } & Pick<Candidate, 'found' | 'base'>,
  commit: string,
): Promise<Candidate> {
  const { clone, base } = work
  const { gitDir } = scratch
  context.say(`rebased onto ${shortCommit(onto)}`)
  const isThere = commit === onto
  // If none of the task's commits was on a story's branch before, all commits beyond the new start are the task's. What
  // another task was compared with need not be here.
  const isOfStory = isShared(context.run) && !isThere
  const ours = isOfStory ? await Promise.all([base, onto].map((from) => countCommits(scratch, from, clone.head))) : [0]
  const since = ours[0] === ours[1] ? onto : base
  return { gitDir, commit, isThere, since, ...before, report: { result: 'Rebased', onto } }
}
