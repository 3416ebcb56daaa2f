/** Makes an execution's commits fit the branch that they go to, as that is on the remote now. */
import type { RebaseReport } from '../../core/execution/result.ts'
import { ownBranch } from '../../core/names.ts'
import { gitText } from '../../lib/git.ts'
import type { CloneChanges } from './changes.ts'
import type { Combined } from './combine.ts'
import { rebase } from './combine.ts'
import type { StepContext } from '../context.ts'
import { Conflict, StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'
import type { RemoteBranches } from './remote.ts'
import { countCommits, fetchBranch, isReached, openWorkshop, takeHistory } from './scratch-repository.ts'
import type { Workshop } from './scratch-repository.ts'

/** Where a clone began. */
export interface CloneStart {
  readonly commit: string
  /** Whether that was the task's branch as the remote had it, rather than its base. */
  readonly isFromBranch: boolean
}

/** What an agent left in its clone. */
export interface Work {
  readonly clone: CloneChanges
  /** What the task's first run started from. */
  readonly base: string
  /** What this clone started from; the same unless an earlier execution has pushed. */
  readonly start: CloneStart
}

export interface CatchUp {
  readonly context: StepContext
  readonly access: GitAccess
  readonly work: Work
  readonly signal: AbortSignal
}

/** A commit that can be pushed without force, as far as is known. */
export interface Candidate {
  readonly gitDir: string
  readonly commit: string
  /** What its changes are to be compared with. */
  readonly baseCommit: string
  /** All of the work is on the branch already. */
  readonly isThere?: boolean
  readonly report?: RebaseReport | undefined
}

/**
 * The clone's HEAD as it is where it fits, else rebased: onto the branch, for it could not be pushed otherwise, or,
 * where the branch is not on the remote yet, onto the base.
 *
 * @throws Conflict, StepFailed when the branch has moved and the work cannot follow; GitFailed
 */
export async function catchUp(job: CatchUp, remote: RemoteBranches): Promise<Candidate> {
  const { run } = job.context
  const there = remote.commits.get(run.branch)
  const base = run.baseBranch ?? remote.defaultBranch
  const tip = base === undefined ? undefined : remote.commits.get(base)
  if (there !== undefined) return joinBranch(job, there, tip)
  if (base === undefined || tip === undefined) return asItIs(job, undefined)
  return (await isInClone(job, tip)) ? asItIs(job, upToDate(tip)) : followBase(job, base)
}

function isInClone({ work: { clone }, signal }: CatchUp, commit: string): Promise<boolean> {
  return isReached({ gitDir: clone.view, signal }, commit, clone.head)
}

function asItIs({ work: { clone, base } }: CatchUp, report: RebaseReport | undefined): Candidate {
  return { gitDir: clone.view, commit: clone.head, baseCommit: base, report }
}

function upToDate(onto: string): RebaseReport {
  return { result: 'UpToDate', onto }
}

/** A task's own branch that is on the remote already is not rewritten, however far its base has gone. */
async function judgePushed(job: CatchUp, tip: string): Promise<RebaseReport> {
  if (await isInClone(job, tip)) return upToDate(tip)
  return behind(tip, `branch ${job.context.run.branch} was pushed before, so it is not rewritten`)
}

function behind(onto: string, why: string): RebaseReport {
  return { result: 'Behind', onto, message: `${why}; merge the base into it where that matters` }
}

/** The branch is on the remote: what it has stays as it is. */
async function joinBranch(job: CatchUp, there: string, tip: string | undefined): Promise<Candidate> {
  const { run } = job.context
  if (!(await isInClone(job, there))) return followBranch(job)
  const { clone, start } = job.work
  // As it is, the push would bring back what somebody took out of the branch.
  if (start.isFromBranch && !(await isReached({ gitDir: clone.view, signal: job.signal }, start.commit, there))) {
    throw new StepFailed('git', `${movedOn(job, there)}, and ${REWRITTEN}; ${WAY_OUT}`)
  }
  const isStory = run.branch !== ownBranch(run.task)
  return asItIs(job, isStory || tip === undefined ? upToDate(there) : await judgePushed(job, tip))
}

async function followBranch(job: CatchUp): Promise<Candidate> {
  const { context, access, work } = job
  const workshop = await openWithClone(job)
  const onto = await fetchBranch(workshop, access, context.run.branch)
  const moved = movedOn(job, onto)
  const isLost = work.start.isFromBranch && !(await isReached(workshop, work.start.commit, onto))
  const obstacle = isLost ? REWRITTEN : await findMerge(workshop, work, onto)
  if (obstacle !== undefined) throw new StepFailed('git', `${moved}, and ${obstacle}; ${WAY_OUT}`)
  const rebased = await replay(job, workshop, onto)
  if (rebased.kind === 'clean') return remade(job, workshop, onto, rebased.commit)
  throw new Conflict(`${moved}, and this work conflicts with it in`, WAY_OUT, onto, rebased.files)
}

function movedOn({ context: { run }, access }: CatchUp, onto: string): string {
  return `branch ${run.branch} on ${access.url} has moved on to ${onto.slice(0, 12)} meanwhile`
}

const REWRITTEN = 'it was rewritten there and lacks what this work started from'

const WAY_OUT =
  'nothing was pushed and the clone is kept: run the task again to do the work anew from the branch as it is now, or push the clone yourself'

/** Here nothing needs the rebase but the person who looks at the work: where it cannot be, the report says so. */
async function followBase(job: CatchUp, branch: string): Promise<Candidate> {
  const { access, work } = job
  const workshop = await openWithClone(job)
  const onto = await fetchBranch(workshop, access, branch)
  const isKnown = await isReached(workshop, work.start.commit, onto)
  const obstacle = isKnown ? await findMerge(workshop, work, onto) : REWRITTEN
  if (obstacle !== undefined) return asItIs(job, behind(onto, `${branch} has moved on, and ${obstacle}`))
  const rebased = await replay(job, workshop, onto)
  if (rebased.kind === 'clean') return remade(job, workshop, onto, rebased.commit)
  const message = `conflicts with ${branch}, which has moved on since the work began`
  return asItIs(job, { result: 'Conflict', onto, files: [...rebased.files], message })
}

/** Of the clone's commits those that it did not start from and that `onto` does not have. */
async function replay({ context, work }: CatchUp, workshop: Workshop, onto: string): Promise<Combined> {
  const { clone, start } = work
  const common = await gitText(['merge-base', onto, clone.head], workshop)
  const since = (await isReached(workshop, start.commit, common)) ? common : start.commit
  return rebase(context, workshop, { head: clone.head, since, onto })
}

/** Anew for each try: a rebase leaves its own state behind. */
async function openWithClone({ context, work: { clone }, signal }: CatchUp): Promise<Workshop> {
  const workshop = await openWorkshop(context, clone.head, signal)
  await takeHistory(workshop, clone.view, clone.head)
  return workshop
}

async function findMerge(options: Workshop, { clone }: Work, onto: string): Promise<string | undefined> {
  const merges = await gitText(['rev-list', '--merges', '--max-count=1', `${onto}..${clone.head}`], options)
  return merges === '' ? undefined : `this work is not rebased because it has the merge commit ${merges.slice(0, 12)}`
}

async function remade(
  { work, context }: CatchUp,
  workshop: Workshop,
  onto: string,
  commit: string,
): Promise<Candidate> {
  const { clone, base } = work
  const { gitDir } = workshop
  context.say(`rebased onto ${onto.slice(0, 12)}`)
  const isThere = commit === onto
  // None of the task's commits were on the branch before: then all that it holds beyond the new start is ours.
  const ours = await Promise.all([base, onto].map((from) => countCommits(workshop, from, clone.head)))
  const baseCommit = !isThere && ours[0] === ours[1] ? onto : base
  return { gitDir, commit, baseCommit, isThere, report: { result: 'Rebased', onto } }
}
